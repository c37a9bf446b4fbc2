import { operation } from "../../operation.ts";
import { redirect } from "../../reply.ts";

/** `GET /favicon.ico`: the icon is a static file. */
export const favicon = operation({
  id: "favicon",
  summary: "Icon",
  tag: "service",
  responses: { 301: { description: "Where the icon stands" } },
  handle: () => redirect(301, "/static/favicon.ico"),
});

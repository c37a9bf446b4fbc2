import { operation } from "../../operation.ts";
import { redirect } from "../../reply.ts";

/** `GET /search/edition` and `/search/editions`: a search that is no more (search.md 7.7). */
export const searchEditions = operation({
  id: "searchEditions",
  summary: "The former search for editions",
  tag: "search",
  responses: { 301: { description: "The search for works" } },
  handle: (_input, { url }) => redirect(301, `/search${url.search}`),
});

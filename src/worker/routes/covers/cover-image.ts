import * as z from "zod";
import { coverReply } from "../../covers/cover-reply.ts";
import { operation } from "../../operation.ts";

/** `GET /b/id/<id>-M.jpg`: the image of a cover, where cover addresses in answers lead to this site (lookup.md 6.1). */
export const coverImage = operation({
  id: "coverImage",
  summary: "The image of a cover",
  tag: "service",
  path: { name: z.string().describe("`7.jpg`, `7-S.jpg`, `7-M.jpg`, `7-L.jpg`") },
  query: { default: z.string().default("true").describe("`false`: 404 where there is no such cover") },
  responses: {
    200: { description: "The image, or a transparent pixel", contentType: "image/jpeg" },
    404: { description: "No such address, or with default=false no such cover" },
  },
  handle: ({ path: { name }, query }, { stores, request }) =>
    coverReply(stores.covers, request, { name, allowsBlank: query.default.toLowerCase() !== "false" }),
});

import * as z from "zod";
import { operation } from "../../http/operation.ts";
import { coversPage } from "../../pages/covers-home.ts";
import { REVALIDATE, json } from "../../http/reply.ts";
import { wantsHtml } from "../../http/accept.ts";

/** `GET /` of the cover store, `GET /covers` of the main site: that it is there, and for people how covers are asked for. */
export const coversHome = operation({
  id: "coversHome",
  summary: "How covers are asked for",
  tag: "covers",
  responses: {
    200: {
      description: "Its name; for browsers a page",
      schema: z.object({ service: z.literal("cover store") }),
      also: ["text/html"],
    },
  },
  handle: (_input, { request }) =>
    wantsHtml(request)
      ? coversPage()
      : json({ service: "cover store" }, { cacheControl: REVALIDATE, headers: { Vary: "Accept" } }),
});

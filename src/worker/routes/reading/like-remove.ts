import * as z from "zod";
import { operation } from "../../http/operation.ts";
import { done } from "../../reading/done.ts";
import { likeKey } from "../../reading/like-key.ts";
import { ownWriter } from "../../reading/own-writer.ts";
import { READING_BODY_BYTES } from "../../reading/parameters.ts";

/** `DELETE /api/like`: takes back what one thinks of a record (patrons.md 12). */
export const removeLike = operation({
  id: "removeLike",
  summary: "Neither like nor dislike a record any more",
  tag: "reading",
  json: z.object({ key: z.unknown().optional().describe("Key of the record") }),
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: { description: "Taken back; also when there was nothing", schema: z.object({ key: z.string() }) },
    400: { description: "No key" },
    303: { description: "For people: back to the page with the form" },
    401: { description: "Not logged in" },
    403: { description: "The account may read only" },
  },
  async handle({ json }, context) {
    const { patron } = await ownWriter(context);
    const key = likeKey(json.key);
    await patron.circle.setOpinion({ key, value: null, now: context.now });
    return done(context, { key });
  },
});

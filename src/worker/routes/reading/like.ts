import * as z from "zod";
import { operation } from "../../http/operation.ts";
import { done } from "../../reading/done.ts";
import { badLike, likeKey } from "../../reading/like-key.ts";
import { ownWriter } from "../../reading/own-writer.ts";
import { READING_BODY_BYTES } from "../../reading/parameters.ts";

/** `POST /api/like`: says that one likes a record, or does not (patrons.md 12). */
export const like = operation({
  id: "like",
  summary: "Like a record, or dislike it",
  tag: "reading",
  json: z.object({
    key: z.unknown().optional().describe("Key of the record"),
    value: z.unknown().optional().describe("1 if absent; -1 dislikes"),
  }),
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: { description: "Noted", schema: z.object({ key: z.string(), value: z.int() }) },
    400: { description: "No key, or another value" },
    303: { description: "For people: back to the page with the form" },
    401: { description: "Not logged in" },
    403: { description: "The account may read only" },
  },
  async handle({ json }, context) {
    const { patron } = await ownWriter(context);
    const key = likeKey(json.key);
    const { value = 1 } = json;
    if (value !== 1 && value !== -1) throw badLike("The value is 1 or -1");
    await patron.circle.setOpinion({ key, value, now: context.now });
    return done(context, { key, value });
  },
});

import * as z from "zod";
import { datetimeText } from "../../../catalog/datetime.ts";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { badLike } from "../../reading/like-key.ts";
import { patronOf } from "../../http/session.ts";

/** Rows of an answer: when no limit is given, and at most. */
export const OWN_LIKES_LIMIT = { default: 50, max: 200 };

const row = z.object({
  username: z.string(),
  key: z.string(),
  value: z.int(),
  created: z.string(),
  modified: z.string(),
});

/** `GET /api/patron/likes`: what one likes and dislikes (patrons.md 12). */
export const ownLikes = operation({
  id: "ownLikes",
  summary: "Records that one likes or dislikes",
  tag: "reading",
  query: {
    limit: z.string().optional().describe("50 if absent, at most 200"),
    offset: z.string().optional(),
  },
  responses: {
    200: { description: "The newest first", schema: z.array(row) },
    400: { description: "A limit or offset that is no number" },
    401: { description: "Not logged in" },
  },
  async handle({ query }, context) {
    const { username } = await ownSession(context);
    const limit = Math.min(
      count("limit", query.limit ?? String(OWN_LIKES_LIMIT.default)),
      OWN_LIKES_LIMIT.max,
    );
    const offset = count("offset", query.offset ?? "0");
    const found = await patronOf(context.stores, username).circle.opinions({ offset, limit });
    return privateJson(
      found.map(({ key, value, created, modified }) => ({
        username,
        key,
        value,
        created: datetimeText(created),
        modified: datetimeText(modified),
      })),
    );
  },
});

function count(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw badLike(`${name} must be a number that is not negative`);
  return Number(text);
}

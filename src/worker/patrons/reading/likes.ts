import * as z from "zod";
import { formatDatetime } from "../../../catalog/datetime.ts";
import { readLikes } from "../../../db/patrons/counts.ts";
import { failure } from "../../http/failure.ts";
import { operation } from "../../http/operation.ts";
import { privateJson } from "../../http/reply.ts";
import { optionalSession, patronOf } from "../../http/session.ts";
import { countsJson, ownChange, requireOwner } from "./own-data.ts";

export const likes = operation({
  id: "likes",
  summary: "Count the likes of a record",
  tag: "reading",
  query: { key: z.string().optional().describe("Key of the record") },
  responses: {
    200: {
      description: "Numbers of likes and dislikes, and the caller's own like",
      schema: z.object({ likes: z.int(), dislikes: z.int(), patron_liked: z.boolean() }),
    },
    400: { description: "Missing key" },
  },
  async handle({ query }, context) {
    const key = parseKey(query.key);
    const { patrons } = context.stores;
    const session = await optionalSession(context);
    if (session === undefined) {
      const counts = await readLikes(patrons.withSession("first-unconstrained"), key);
      return countsJson(
        { likes: counts.likes, dislikes: counts.dislikes, patron_liked: false },
        { isOwn: false },
      );
    }
    const { username } = session;
    const [counts, opinion] = await Promise.all([
      readLikes(patrons, key, username),
      patronOf(context.stores, username).opinions.opinion(key),
    ]);
    // Patrons see their own opinion counted at once, so their response can differ from that of others.
    const likesBy = (value: 1 | -1): number =>
      Number(opinion?.value === value) - Number(counts.own === value);
    const view = {
      likes: counts.likes + likesBy(1),
      dislikes: counts.dislikes + likesBy(-1),
      // Q217: a patron who dislikes a record does not like it.
      patron_liked: opinion?.value === 1,
    };
    return countsJson(view, { isOwn: true });
  },
});

/** Characters that no key contains, and that a database may return changed (Q222). */
const CONTROL = /\p{Cc}/u;
const LIKE_KEY_LENGTH = 250;

/** Parses the key of a body or query. Throws 400, not 422, as these routes have always done. */
function parseKey(value: unknown): string {
  const isText = typeof value === "string" && value.isWellFormed() && !CONTROL.test(value);
  if (isText && value !== "" && value.length <= LIKE_KEY_LENGTH) return value;
  throw failure("bad_request.like_key", { most: LIKE_KEY_LENGTH });
}

export const like = ownChange({
  id: "like",
  summary: "Like or dislike a record",
  json: z.object({
    key: z.unknown().optional().describe("Key of the record"),
    value: z.unknown().optional().describe("1 to like (default), -1 to dislike"),
  }),
  checksTexts: true,
  responses: {
    200: { description: "Like or dislike saved", schema: z.object({ key: z.string(), value: z.int() }) },
    400: { description: "Missing key, or invalid value" },
  },
  async submit({ json }, { patron, use }, { now }) {
    const key = parseKey(json.key);
    const { value = 1 } = json;
    if (value !== 1 && value !== -1) throw failure("bad_request.like");
    await patron.opinions.setOpinion({ key, value, now }, use);
    return { json: { key, value } };
  },
});

export const removeLike = ownChange({
  id: "removeLike",
  summary: "Remove your like or dislike of a record",
  json: z.object({ key: z.unknown().optional().describe("Key of the record") }),
  checksTexts: true,
  responses: {
    200: { description: "Like or dislike removed, if there was one", schema: z.object({ key: z.string() }) },
    400: { description: "Missing key" },
  },
  async submit({ json }, { patron, use }, { now }) {
    const key = parseKey(json.key);
    await patron.opinions.setOpinion({ key, value: null, now }, use);
    return { json: { key } };
  },
});

const OWN_LIKES_LIMIT = { default: 50, max: 200 };

const row = z.object({
  username: z.string(),
  key: z.string(),
  value: z.int(),
  created: z.string(),
  modified: z.string(),
});

export const ownLikes = operation({
  id: "ownLikes",
  summary: "List the records you like or dislike",
  tag: "reading",
  query: {
    limit: z.string().optional().describe("Page size; default 50, at most 200"),
    offset: z.string().optional(),
  },
  responses: {
    200: { description: "Records, latest first", schema: z.array(row) },
    400: { description: "Limit or offset that is not a number" },
  },
  async handle({ query }, context) {
    const { session, patron } = await requireOwner(context);
    const limit = parseCount("limit", query.limit ?? String(OWN_LIKES_LIMIT.default));
    const offset = parseCount("offset", query.offset ?? "0");
    const opinions = await patron.opinions.opinions({ offset, limit: Math.min(limit, OWN_LIKES_LIMIT.max) });
    const { username } = session;
    const rows = opinions.map(({ key, value, created, modified }) => {
      return { username, key, value, created: formatDatetime(created), modified: formatDatetime(modified) };
    });
    return privateJson(rows);
  },
});

function parseCount(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw failure("bad_request.count", { name });
  return Number(text);
}

import * as z from "zod";
import { type FeedPart, readFeed } from "../../../db/changes/read-feed.ts";
import { type RequestContext, catalogReader } from "../../context.ts";
import { feedText } from "../../feed/feed-text.ts";
import { listen } from "../../feed/listen.ts";
import { operation } from "../../operation.ts";
import { NO_STORE, type Reply, jsonText } from "../../reply.ts";
import { integer, lenientInteger } from "../../validation/parameters.ts";

/** Changes in one answer of the feed, documents and bytes of documents in it; one change is always whole. */
export const FEED_LIMIT = { default: 100, max: 1000 };
export const FEED_DOCUMENTS = 1000;
export const FEED_BYTES = 2 * 1024 * 1024;
/** Seconds that a reader may wait for something new. */
export const FEED_WAIT_SECONDS = 30;

/** Highest cursor: the largest number that JavaScript counts by. */
const CURSOR_MAX = Number.MAX_SAFE_INTEGER;

/** A cursor: the number of the last change that the reader knows. */
export function cursor() {
  return integer(z.int().min(0).max(CURSOR_MAX)).optional();
}

const fedChange = z.object({
  id: z.int(),
  kind: z.string(),
  timestamp: z.string().describe("Naive UTC time"),
  comment: z.string().nullable(),
  author: z.object({ key: z.string() }).nullable(),
  bot: z.boolean(),
  data: z.record(z.string(), z.unknown()),
  loaded: z.boolean().describe("A load of a dump, which is not an edit"),
  changes: z.array(z.object({ key: z.string(), revision: z.int() })),
  documents: z.array(z.record(z.string(), z.unknown())).describe("The new revisions as they are stored"),
});

/** `GET /changes.json`: the log of changes with their documents, oldest first, from a cursor on. */
export const changesFeed = operation({
  id: "changesFeed",
  summary: "The log of changes with all documents, from a cursor on",
  tag: "history",
  query: {
    since: cursor().describe("Number of the last change known (0: from the beginning)"),
    limit: lenientInteger(FEED_LIMIT.default, { min: 0, max: FEED_LIMIT.max }).describe(
      `Changes, at most ${FEED_LIMIT.max} (${FEED_LIMIT.default})`,
    ),
    wait: lenientInteger(0, { min: 0, max: FEED_WAIT_SECONDS }).describe(
      `Seconds to wait when there is nothing new, at most ${FEED_WAIT_SECONDS} (0)`,
    ),
  },
  responses: {
    200: {
      description: "Changes in their order, without a gap",
      schema: z.object({
        since: z.int(),
        changes: z.array(fedChange),
        cursor: z.int().describe("Where to go on"),
        end: z.int().describe("Number of the newest change"),
      }),
    },
    429: { description: "Too many open feeds from one address" },
    503: { description: "Too many open feeds" },
  },
  async handle({ query: { since = 0, limit, wait } }, context) {
    const bounds = { changes: limit, documents: FEED_DOCUMENTS, bytes: FEED_BYTES };
    const read = (database: D1DatabaseSession): Promise<FeedPart> => readFeed(database, since, bounds);
    const part = await read(catalogReader(context));
    if (wait === 0 || limit === 0 || part.changes.length > 0) return answer(since, part);
    return answer(since, await waitFor(read, wait, context));
  },
});

/** Reads again when something was stored, or at the end of the time. */
async function waitFor(
  read: (database: D1DatabaseSession) => Promise<FeedPart>,
  seconds: number,
  context: RequestContext,
): Promise<FeedPart> {
  const { sources, stores } = context;
  const listener = await listen(context);
  const end = sources.now() + seconds * 1000;
  try {
    for (let isOver = false; ;) {
      // What is new is on the primary first; what was stored before listening began is found here too.
      const part = await read(stores.catalog.withSession("first-primary"));
      if (part.changes.length > 0 || isOver || listener.isClosed()) return part;
      const isWoken = await listener.next(Math.max(0, end - sources.now()));
      isOver = !isWoken || sources.now() >= end;
    }
  } finally {
    listener.close();
  }
}

function answer(since: number, { changes, end }: FeedPart): Reply {
  const last = changes.at(-1)?.id ?? since;
  const texts = changes.map(feedText).join(",");
  const text = `{"since":${since},"changes":[${texts}],"cursor":${last},"end":${end}}`;
  return jsonText(text, { cacheControl: NO_STORE });
}

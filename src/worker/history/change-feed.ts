import { MIB } from "../../catalog/units.ts";
import * as z from "zod";
import { toWellFormedJson } from "../../catalog/bytes.ts";
import { revisionSchema } from "./change-entry.ts";
import { type FedChange, type FeedPart, readChangeFeed } from "../../db/history/feed.ts";
import type { Database } from "../../db/statement.ts";
import { CLIENT_HEADER, FEED_NAME } from "../../durable/protocol.ts";
import type { Stores } from "../http/bindings.ts";
import { reserveAnswerRoom } from "../http/answer-room.ts";
import { clientGroup } from "../http/client-address.ts";
import { logLine } from "../http/log.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { integer, lenientInteger } from "../http/parameters.ts";
import { type Reply, JSON_TYPE, NO_STORE } from "../http/reply.ts";
import { failure } from "../http/failure.ts";

/** Limits of a response of the feed: changes, documents, and bytes of documents. A change is never split. */
export const FEED_LIMIT = { default: 100, max: 1000 };
export const FEED_DOCUMENTS = 1000;
export const FEED_BYTES = 2 * MIB;
/** Maximum wait for new changes, in seconds. */
const FEED_WAIT_SECONDS = 30;

/** Returns the schema of a cursor: the id of the last change that the client knows, as in `since=1284`; 0 at first. */
export function cursorSchema() {
  return integer(z.int().min(0).max(Number.MAX_SAFE_INTEGER)).optional();
}

const fedChange = z.object({
  id: z.int(),
  kind: z.string(),
  timestamp: z.string().describe("Naive UTC time"),
  comment: z.string().nullable(),
  author: z.object({ key: z.string() }).nullable(),
  bot: z.boolean(),
  data: z.record(z.string(), z.unknown()),
  loaded: z.boolean().describe("True for a bulk load of a dump, which is not an edit"),
  changes: z.array(revisionSchema),
  documents: z.array(z.record(z.string(), z.unknown())).describe("New revisions as stored"),
});

export const changesFeed = operation({
  id: "changesFeed",
  summary: "Read the log of changes with all documents",
  tag: "history",
  query: {
    since: cursorSchema().describe("Number of the last known change; 0 to start from the beginning"),
    limit: lenientInteger(FEED_LIMIT.default, { min: 0, max: FEED_LIMIT.max }).describe(
      `Page size, at most ${FEED_LIMIT.max} (${FEED_LIMIT.default})`,
    ),
    wait: lenientInteger(0, { min: 0, max: FEED_WAIT_SECONDS }).describe(
      `Seconds to wait for a new change, at most ${FEED_WAIT_SECONDS}`,
    ),
  },
  responses: {
    200: {
      description: "Changes in order, without gaps",
      schema: z.object({
        since: z.int(),
        changes: z.array(fedChange),
        cursor: z.int().describe("Cursor for the next request"),
        end: z.int().describe("Number of the newest change"),
      }),
    },
    429: { description: "Too many open feeds from one IP address" },
    503: { description: "Too many open feeds or concurrent large responses" },
  },
  async handle({ query: { since = 0, limit, wait } }, context) {
    const reserve = (bytes: number): Promise<void> => reserveAnswerRoom(context, bytes);
    const bounds = { changes: limit, documents: FEED_DOCUMENTS, bytes: FEED_BYTES, reserve };
    const read = (database: Database): Promise<FeedPart> => readChangeFeed(database, since, bounds);
    const part = await read(catalogReader(context));
    if (wait === 0 || limit === 0 || part.changes.length > 0) return replyWith(since, part);
    return replyWith(since, await waitForChanges(read, wait, context));
  },
});

/** Reads again whenever a change was stored, until there are changes or the time is over. */
async function waitForChanges(
  read: (database: Database) => Promise<FeedPart>,
  seconds: number,
  context: RequestContext,
): Promise<FeedPart> {
  const { sources, stores } = context;
  const listener = await listen(context);
  const end = sources.now() + seconds * 1000;
  try {
    for (let isOver = false; ;) {
      // New changes reach the primary first; changes stored before listening began are found here too.
      const part = await read(stores.catalog.withSession("first-primary"));
      if (part.changes.length > 0 || isOver || listener.isClosed()) return part;
      const isWoken = await listener.next(Math.max(0, end - sources.now()));
      isOver = !isWoken || sources.now() >= end;
    }
  } finally {
    listener.close();
  }
}

function replyWith(since: number, { changes, end }: FeedPart): Reply {
  const last = changes.at(-1)?.id ?? since;
  const texts = changes.map(feedTextOf).join(",");
  const text = `{"since":${since},"changes":[${texts}],"cursor":${last},"end":${end}}`;
  // Q727: a single change can be larger than other answers, which are limited as texts.
  const isLarge = changes.length === 1 && text.length > FEED_BYTES;
  const body = isLarge ? new TextEncoder().encode(toWellFormedJson(text)) : text;
  return { status: 200, contentType: JSON_TYPE, body, cacheControl: NO_STORE };
}

/** Serializes a change of the feed. Includes stored JSON unchanged, so that copies can be byte-equal. */
export function feedTextOf(change: FedChange): string {
  const { id, kind, created, comment, author, bot, data, changes, documents } = change;
  const loaded = changes === null;
  const saved = documents.map(({ key, revision }) => ({ key, revision }));
  const omitted = documents.flatMap(({ document }, index) => (document === null ? [saved[index]] : []));
  const members = [
    `"id":${id}`,
    `"kind":${JSON.stringify(kind)}`,
    `"timestamp":${JSON.stringify(created)}`,
    `"comment":${JSON.stringify(comment)}`,
    `"author":${author === null ? "null" : JSON.stringify({ key: author })}`,
    `"bot":${bot === 1}`,
    `"data":${data}`,
    `"loaded":${loaded}`,
    `"changes":${changes ?? JSON.stringify(saved)}`,
    `"documents":[${documents.flatMap(({ document }) => document ?? []).join(",")}]`,
    // Q730: only in the stream.
    ...(omitted.length > 0 ? [`"omitted":${JSON.stringify(omitted)}`] : []),
  ];
  return `{${members.join(",")}}`;
}

/** `Retry-After` for clients above the limit of listeners, in seconds. */
const RETRY_SECONDS = 30;

export interface Listener {
  /** Waits until a change is stored, or the time is over; false if none was. */
  next(milliseconds: number): Promise<boolean>;
  isClosed(): boolean;
  close(): void;
}

/** Listens to changes stored from now on; read the log after this. Throws 429 or 503 if there are too many listeners. */
export async function listen({ stores, client }: RequestContext): Promise<Listener> {
  const feed = stores.changeFeed.getByName(FEED_NAME);
  // Without a proxy all clients have the same address.
  const headers = { Upgrade: "websocket", [CLIENT_HEADER]: client === "local" ? "" : clientGroup(client) };
  const { status, webSocket } = await feed.fetch("http://change-feed/", { headers });
  if (status === 429) throw failure("too_many_requests.feeds", {}, { retryAfter: RETRY_SECONDS });
  if (webSocket === null) throw failure("unavailable.feeds");
  return listenerOf(webSocket);
}

function listenerOf(socket: WebSocket): Listener {
  let [isWoken, isClosed] = [false, false];
  let wake: (() => void) | undefined;
  const end = (): void => {
    isClosed = true;
    wake?.();
  };
  socket.addEventListener("message", () => {
    isWoken = true;
    wake?.();
  });
  socket.addEventListener("close", end);
  socket.addEventListener("error", end);
  socket.accept();
  return {
    async next(milliseconds) {
      if (!isWoken && !isClosed) await waitUntil(milliseconds, (resolve) => (wake = resolve));
      const wasWoken = isWoken;
      isWoken = false;
      return wasWoken;
    },
    isClosed: () => isClosed,
    close() {
      if (!isClosed) socket.close(1000);
      end();
    },
  };
}

/** Waits for a time, or until the function passed to `setWake` is called. */
function waitUntil(milliseconds: number, setWake: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    setWake(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Wakes listeners after a change. Failures are only logged, because listeners also read the log at intervals. */
export async function wakeListeners(feed: Stores["changeFeed"], change: number): Promise<void> {
  try {
    await feed.getByName(FEED_NAME).announce(change);
  } catch (error) {
    logLine("error", "wake-listeners", { change, error: String(error) });
  }
}

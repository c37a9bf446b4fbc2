import { readFeed } from "../../db/history/feed.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { type Reply, NO_STORE } from "../http/reply.ts";
import { type Listener, FEED_BYTES, FEED_DOCUMENTS, FEED_LIMIT, cursor, feedText, listen } from "./feed.ts";
import { createMiddleware } from "hono/factory";
import type { Carried } from "../http/serve.ts";
import { livePartOf } from "../ui/progress.ts";

/** Interval in milliseconds after which a quiet stream sends a heartbeat and reads the log by itself. */
const HEARTBEAT_MS = 15_000;
/** Length of a stream in milliseconds; the client reconnects and resumes. */
const STREAM_MS = 30 * 60_000;
/** Reconnection delay sent to clients, in milliseconds. */
const RECONNECT_MS = 2000;

/** Media type of server-sent events. */
export const EVENTS_TYPE = "text/event-stream";

const encoder = new TextEncoder();

/** `GET /changes/stream`: the feed as server-sent events, which continues as changes are stored. */
export const changesStream = operation({
  id: "changesStream",
  summary: "The feed of changes as server-sent events",
  tag: "history",
  query: { since: cursor().describe("Number of the last change known; else only what comes from now on") },
  responses: {
    200: {
      description: "Events `change`; their id is the cursor, for the header Last-Event-ID",
      contentType: EVENTS_TYPE,
    },
    429: { description: "Too many open feeds from one address" },
    503: { description: "Too many open feeds" },
  },
  async handle({ query }, context): Promise<Reply> {
    // The header of a client that reconnects is newer than its original address.
    const last = /^\d{1,15}$/.exec(context.request.headers.get("Last-Event-ID") ?? "")?.[0];
    const stated = last === undefined ? query.since : Number(last);
    return {
      status: 200,
      body: context.request.method === "HEAD" ? null : await events(stated, context),
      contentType: `${EVENTS_TYPE}; charset=utf-8`,
      cacheControl: NO_STORE,
    };
  },
});

async function events(since: number | undefined, context: RequestContext): Promise<ReadableStream> {
  const listener = await listen(context);
  const at = since ?? (await endOfLog(context));
  const following = { listener, context, cursor: at, end: context.sources.now() + STREAM_MS };
  return eventStream(listener, () => nextText(following));
}

/** Streams the events that `next` returns while the client listens: texts, until it returns undefined. */
export function eventStream(
  listener: Listener,
  next: () => Promise<string | undefined>,
): ReadableStream<Uint8Array> {
  let isFirst = true;
  return new ReadableStream({
    async pull(controller) {
      try {
        // Sent at once, so that the client knows that it is connected.
        const text = isFirst ? `retry: ${RECONNECT_MS}\n\n` : await next();
        isFirst = false;
        if (text !== undefined) return controller.enqueue(encoder.encode(text));
        listener.close();
        controller.close();
      } catch (error) {
        listener.close();
        controller.error(error);
      }
    },
    cancel: () => listener.close(),
  });
}

async function endOfLog({ stores }: RequestContext): Promise<number> {
  const nothing = { changes: 0, documents: 0, bytes: 0 };
  return (await readFeed(stores.catalog.withSession("first-primary"), 0, nothing)).end;
}

interface Following {
  readonly listener: Listener;
  readonly context: RequestContext;
  readonly end: number;
  cursor: number;
}

/** Returns the next events, or a heartbeat; undefined if the stream is to end. */
async function nextText(following: Following): Promise<string | undefined> {
  const { listener, context, end } = following;
  const bounds = { changes: FEED_LIMIT.default, documents: FEED_DOCUMENTS, bytes: FEED_BYTES };
  for (let isQuiet = false; ;) {
    if (listener.isClosed() || context.sources.now() > end) return undefined;
    const session = context.stores.catalog.withSession("first-primary");
    const { changes } = await readFeed(session, following.cursor, bounds);
    const last = changes.at(-1);
    if (last !== undefined) {
      following.cursor = last.id;
      return changes.map((change) => event(change.id, feedText(change))).join("");
    }
    if (isQuiet) return ": quiet\n\n";
    isQuiet = !(await listener.next(HEARTBEAT_MS));
  }
}

/** Formats an event. Stored JSON may contain line ends between its tokens. */
function event(id: number, data: string): string {
  return `id: ${id}\nevent: change\n${eventData(data)}`;
}

/** Formats the end of an event: a text of any lines, which the client joins again. */
export function eventData(text: string): string {
  return `${text.replace(/^|\r\n|\r|\n/g, "\ndata: ").slice(1)}\n\n`;
}

/** Interval between two renderings of a live page, and length of a stream, in milliseconds; the browser reconnects. */
const LOOK_MS = 2000;
const LIVE_STREAM_MS = 60_000;

/**
 * Answers `Accept: text/event-stream` at the address of a live page: each event is its current live part (Q603). Each
 * rendering is a request of the same reader for the page, with the same access checks.
 */
export const liveParts = createMiddleware<Carried>(async (c, next) => {
  await next();
  const context = c.env.carrel;
  const { method, headers } = context.request;
  if (method !== "GET" || headers.get("Accept") !== EVENTS_TYPE) return;
  if (!c.res.ok || isOf(c.res, EVENTS_TYPE)) return;
  const part = await look(context);
  if (part === undefined) return;
  const body = await parts(part, context);
  const own = { "Content-Type": `${EVENTS_TYPE}; charset=utf-8`, "Cache-Control": NO_STORE, Vary: "Accept" };
  // Otherwise headers of the previous answer would stay.
  c.res = undefined;
  c.res = new Response(body, { headers: { ...context.headers, ...own } });
});

function isOf({ headers }: Response, type: string): boolean {
  return headers.get("Content-Type")?.startsWith(type) === true;
}

/** Returns the current live part of the page; undefined if there is none, or none for this reader. */
async function look({ request, answer }: RequestContext): Promise<string | undefined> {
  const headers = new Headers(request.headers);
  headers.set("Accept", "text/html");
  const response = await answer(new Request(request.url, { headers }));
  return response.ok && isOf(response, "text/html") ? livePartOf(await response.text()) : undefined;
}

/** Streams the live part. Takes a listener's place so that all event streams are counted together. */
async function parts(first: string, context: RequestContext): Promise<ReadableStream<Uint8Array>> {
  const { now } = context.sources;
  const listener = await listen(context);
  const end = now() + LIVE_STREAM_MS;
  let [part, sent]: (string | undefined)[] = [first];
  return eventStream(listener, async () => {
    while (part === sent) {
      await scheduler.wait(LOOK_MS);
      if (listener.isClosed() || now() >= end) return undefined;
      part = await look(context);
    }
    sent = part;
    return part === undefined ? undefined : eventData(part);
  });
}

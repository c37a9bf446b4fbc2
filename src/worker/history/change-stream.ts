import { KIB } from "../../catalog/units.ts";
import { readChangeFeed } from "../../db/history/feed.ts";
import { withBudget } from "../http/call-budget.ts";
import { TOO_SLOW, holdRoom } from "../http/answer-room.ts";
import { ownError } from "../http/errors.ts";
import { type RequestContext, type HonoEnv, operation } from "../http/operation.ts";
import { inStreamTurns } from "../http/rate-limit.ts";
import { type Reply, EVENTS_TYPE, NO_STORE } from "../http/reply.ts";
import { type Listener, FEED_DOCUMENTS, cursorSchema, feedTextOf, listen } from "./change-feed.ts";
import { createMiddleware } from "hono/factory";
import { livePartOf } from "../ui/progress.ts";

/** Time without changes after which a stream sends a heartbeat and reads the log, in milliseconds. */
const HEARTBEAT_MS = 15_000;
/** Maximum duration of a stream, in milliseconds, if its budget of calls lasts; the client reconnects and resumes. */
const STREAM_MS = 30 * 60_000;
const RECONNECT_MS = 2000;
/** Changes, and bytes of their documents, that are read for a client at a time. Q730: a larger change has its largest documents by key. */
const EVENT_CHANGES = 4;
const EVENT_BYTES = 256 * KIB;

const encoder = new TextEncoder();

export const changesStream = operation({
  id: "changesStream",
  summary: "Stream changes as server-sent events",
  tag: "history",
  query: {
    since: cursorSchema().describe("Number of the last known change; default the newest"),
  },
  responses: {
    200: {
      description: "Events named `change`; their id is the cursor for the header Last-Event-ID",
      contentType: EVENTS_TYPE,
    },
    429: { description: "Too many open feeds from one IP address" },
    503: { description: "Too many open feeds" },
  },
  async handle({ query }, context): Promise<Reply> {
    // A client that reconnects sends the header with its original address, which is older.
    const last = /^\d{1,15}$/.exec(context.request.headers.get("Last-Event-ID") ?? "")?.[0];
    const since = last === undefined ? query.since : Number(last);
    return {
      status: 200,
      body: context.request.method === "HEAD" ? null : await streamChanges(since, context),
      contentType: `${EVENTS_TYPE}; charset=utf-8`,
      cacheControl: NO_STORE,
    };
  },
});

async function streamChanges(since: number | undefined, context: RequestContext): Promise<ReadableStream> {
  const { stores, budget } = withBudget(context, STREAM_MS);
  const listener = await listen(context);
  let cursor = since ?? (await readEndOfLog(context));
  const bounds = { changes: EVENT_CHANGES, documents: FEED_DOCUMENTS, bytes: EVENT_BYTES, isCut: true };
  return streamEvents(listener, context, async () => {
    for (let isQuiet = false; ;) {
      if (listener.isClosed() || budget.isOver()) return undefined;
      const { changes } = await readChangeFeed(stores.catalog.withSession("first-primary"), cursor, bounds);
      const last = changes.at(-1);
      if (last !== undefined) {
        cursor = last.id;
        return changes
          .map((change) => `id: ${change.id}\nevent: change\n${formatData(feedTextOf(change))}`)
          .join("");
      }
      if (isQuiet) return ": quiet\n\n";
      isQuiet = !(await listener.next(HEARTBEAT_MS));
    }
  });
}

/**
 * Streams the texts that `next` returns, until it returns undefined, or the client disconnects or is too slow. Each text
 * is made when the client has taken the one before.
 */
function streamEvents(
  listener: Listener,
  context: RequestContext,
  next: () => Promise<string | undefined>,
): ReadableStream<Uint8Array> {
  let isFirst = true;
  let free: (() => void) | undefined;
  const readNext = inStreamTurns(context, next);
  const close = (): void => {
    free?.();
    listener.close();
  };
  return new ReadableStream(
    {
      async pull(controller) {
        free?.();
        const fail = (error: unknown): void => {
          close();
          controller.error(error);
        };
        try {
          // Sent immediately, so that the client knows that it is connected.
          const text = isFirst ? `retry: ${RECONNECT_MS}\n\n` : await readNext();
          isFirst = false;
          if (text === undefined) {
            close();
            return controller.close();
          }
          const part = encoder.encode(text);
          free = await holdRoom(context, { holder: listener, amount: part.length }, () => fail(TOO_SLOW));
          controller.enqueue(part);
        } catch (error) {
          if (ownError(error) === undefined) return fail(error);
          // No room for a whole wait: the client reconnects.
          close();
          controller.close();
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

async function readEndOfLog({ stores }: RequestContext): Promise<number> {
  const nothing = { changes: 0, documents: 0, bytes: 0 };
  return (await readChangeFeed(stores.catalog.withSession("first-primary"), 0, nothing)).end;
}

/** Formats the data of an event, which ends it. Stored JSON may contain line ends; the client joins the lines again. */
function formatData(text: string): string {
  return `${text.replace(/^|\r\n|\r|\n/g, "\ndata: ").slice(1)}\n\n`;
}

/** Interval between renderings of a live page, and maximum duration of its stream, in milliseconds. */
const RENDER_MS = 2000;
const LIVE_STREAM_MS = 60_000;

/**
 * Serves `Accept: text/event-stream` at the address of a live page: each event is the current live part of the page
 * (Q603). Every rendering is a request of the same client for the page, with the same access checks.
 */
export const streamLiveParts = createMiddleware<HonoEnv>(async (c, next) => {
  await next();
  const context = c.env.carrel;
  if (context.request.method !== "GET") return;
  if (!c.res.ok || hasType(c.res, EVENTS_TYPE)) return;
  const part = await renderLivePart(context);
  if (part === undefined) return;
  await c.res.body?.cancel();
  const body = await streamParts(part, context);
  const streamHeaders = {
    "Content-Type": `${EVENTS_TYPE}; charset=utf-8`,
    "Cache-Control": NO_STORE,
    Vary: "Accept",
  };
  // Otherwise Hono would keep headers of the previous response.
  c.res = undefined;
  c.res = new Response(body, { headers: { ...context.headers, ...streamHeaders } });
});

function hasType({ headers }: Response, type: string): boolean {
  return headers.get("Content-Type")?.startsWith(type) === true;
}

/** Returns the current live part of the page; undefined if there is none, or the client may not see it. */
async function renderLivePart({ request, answer }: RequestContext): Promise<string | undefined> {
  const headers = new Headers(request.headers);
  headers.set("Accept", "text/html");
  const response = await answer(new Request(request.url, { headers }));
  return response.ok && hasType(response, "text/html") ? livePartOf(await response.text()) : undefined;
}

/** Streams the live part. Opens a listener so that all event streams count towards the same limit. */
async function streamParts(first: string, context: RequestContext): Promise<ReadableStream<Uint8Array>> {
  const { now } = context.sources;
  const listener = await listen(context);
  const end = now() + LIVE_STREAM_MS;
  let [part, previous]: (string | undefined)[] = [first];
  return streamEvents(listener, context, async () => {
    while (part === previous) {
      await scheduler.wait(RENDER_MS);
      if (listener.isClosed() || now() >= end) return undefined;
      part = await renderLivePart(context);
    }
    previous = part;
    return part === undefined ? undefined : formatData(part);
  });
}

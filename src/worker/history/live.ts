import { createMiddleware } from "hono/factory";
import type { RequestContext, Carried } from "../http/operation.ts";
import { NO_STORE } from "../http/reply.ts";
import { livePartOf } from "../ui/progress.ts";
import { listen } from "./feed.ts";
import { EVENTS_TYPE, eventData, eventStream } from "./stream.ts";

/** Interval between two renderings of a live page, and length of a stream, in milliseconds; the browser reconnects. */
const LOOK_MS = 2000;
const STREAM_MS = 60_000;

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
  const end = now() + STREAM_MS;
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

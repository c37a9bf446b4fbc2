import { createMiddleware } from "hono/factory";
import { PRIVATE } from "../accounts/private.ts";
import type { IsolateCache } from "../answers/isolate-cache.ts";
import { type RequestContext, type Sources, settingsOf, storesOf } from "../context.ts";
import { newTrace } from "../metrics/trace.ts";
import type { Route } from "../operation.ts";
import { type Actor, readActor } from "../sessions/actor.ts";
import { type Session, readSession } from "../sessions/session.ts";
import type { Variables } from "../serve.ts";

/** Header and cookie in which a client brings the bookmark of its last write (Q40). */
export const BOOKMARK_HEADER = "X-Carrel-Bookmark";
const BOOKMARK_COOKIE = /(?:^|;\s*)carrel_bookmark=([\w-]{1,200})/;

interface Options {
  readonly cache: IsolateCache;
  readonly sources: Sources;
  readonly routes: readonly Route[];
}

/** Makes the context of a request: the first middleware. */
export function requestContext({ cache, sources, routes }: Options) {
  return createMiddleware<Variables>((c, next) => {
    const request = c.req.raw;
    const requestId = sources.newRequestId();
    let url: URL | undefined;
    let session: Promise<Session | undefined> | undefined;
    let actor: Promise<Actor> | undefined;
    const context: RequestContext = {
      sources,
      cache,
      routes,
      request,
      requestId,
      now: sources.now(),
      settings: settingsOf(c.env),
      stores: storesOf(c.env),
      get url() {
        // Most answers come out of a cache by the address as it is.
        return (url ??= new URL(request.url));
      },
      client: request.headers.get("CF-Connecting-IP") ?? "local",
      bookmark: bookmarkOf(request.headers),
      headers: { "X-Request-Id": requestId, "X-Content-Type-Options": "nosniff" },
      cookies: [],
      trace: newTrace(),
      session() {
        // What depends on who asks is kept by nobody, whatever the operation says.
        context.headers["Cache-Control"] = PRIVATE;
        return (session ??= readSession(context));
      },
      actor: () => (actor ??= readActor(context)),
      waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    };
    c.set("carrel", context);
    return next();
  });
}

function bookmarkOf(headers: Headers): string | undefined {
  const header = headers.get(BOOKMARK_HEADER);
  if (header !== null && /^[\w-]{1,200}$/.test(header)) return header;
  const cookie = headers.get("Cookie");
  return cookie === null ? undefined : BOOKMARK_COOKIE.exec(cookie)?.[1];
}

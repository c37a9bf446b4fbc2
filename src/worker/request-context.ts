import { PRIVATE } from "./accounts/private.ts";
import type { IsolateCache } from "./answers/isolate-cache.ts";
import { type RequestContext, type Sources, settingsOf, storesOf } from "./context.ts";
import { newTrace } from "./metrics/trace.ts";
import type { Route } from "./operation.ts";
import { type Actor, readActor } from "./sessions/actor.ts";
import { type Session, readSession } from "./sessions/session.ts";

/** Header and cookie in which a client brings the bookmark of its last write (Q40). */
export const BOOKMARK_HEADER = "X-Carrel-Bookmark";
const BOOKMARK_COOKIE = /(?:^|;\s*)carrel_bookmark=([\w-]{1,200})/;

/** What the contexts of all requests to a site have in common. */
export interface SiteParts {
  readonly cache: IsolateCache;
  readonly sources: Sources;
  readonly routes: readonly Route[];
}

/** What the runtime hands over with a request. */
export interface Arrival {
  readonly request: Request;
  readonly env: Env;
  readonly execution: Pick<ExecutionContext, "waitUntil">;
}

/** Makes the context of a request, before anything else is done with it. */
export function newRequestContext(
  { cache, sources, routes }: SiteParts,
  { request, env, execution }: Arrival,
): RequestContext {
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
    settings: settingsOf(env),
    stores: storesOf(env),
    get url() {
      // Most answers come out of a cache by the address as it is.
      return (url ??= new URL(request.url));
    },
    client: request.headers.get("CF-Connecting-IP") ?? "local",
    bookmark: bookmarkOf(request.headers),
    headers: {
      "X-Request-Id": requestId,
      "X-Content-Type-Options": "nosniff",
      // Scripts of every origin read what is public, without cookies (records.md 13.3).
      "Access-Control-Allow-Origin": "*",
    },
    cookies: [],
    trace: newTrace(),
    session() {
      // What depends on who asks is kept by nobody, whatever the operation says.
      context.headers["Cache-Control"] = PRIVATE;
      return (session ??= readSession(context));
    },
    actor: () => (actor ??= readActor(context)),
    waitUntil: (promise) => execution.waitUntil(promise),
  };
  return context;
}

function bookmarkOf(headers: Headers): string | undefined {
  const header = headers.get(BOOKMARK_HEADER);
  if (header !== null && /^[\w-]{1,200}$/.test(header)) return header;
  const cookie = headers.get("Cookie");
  return cookie === null ? undefined : BOOKMARK_COOKIE.exec(cookie)?.[1];
}

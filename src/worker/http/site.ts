import type { Hono } from "hono";
import { type Sources, storesOf } from "./bindings.ts";
import { errorAnswer, failureAnswer } from "./error-answers.ts";
import { badAddress } from "./errors.ts";
import type { IsolateCache } from "./isolate-cache.ts";
import { newTrace } from "./metrics.ts";
import type { Actor, RequestContext, Route, Session } from "./operation.ts";
import { PRIVATE } from "./reply.ts";
import type { Carried } from "./serve.ts";
import { readActor, readSession } from "./session.ts";
import { settingsOf } from "./settings.ts";

/** Header and cookie in which a client brings the bookmark of its last write (Q40). */
export const BOOKMARK_HEADER = "X-Carrel-Bookmark";
const BOOKMARK_COOKIE = /(?:^|;\s*)carrel_bookmark=([\w-]{1,200})/;

/** What the contexts of all requests to a site have in common. */
interface SiteParts {
  readonly cache: IsolateCache;
  readonly sources: Sources;
  readonly routes: readonly Route[];
}

/** What the runtime hands over with a request. */
interface Arrival {
  readonly request: Request;
  readonly env: Env;
  readonly execution: Pick<ExecutionContext, "waitUntil">;
}

/** Makes the context of a request, before anything else is done with it. */
function newRequestContext(
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
      // Scripts of every origin read what is public, without cookies.
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

/** What answers requests. */
export interface Site {
  fetch(request: Request, env: Env, execution: ExecutionContext): Response | Promise<Response>;
  /** What its router knows. */
  readonly routes: Hono<Carried>["routes"];
}

/** Answers what needs no routing. */
export type Shortcut = (context: RequestContext) => Response | undefined;

/** A site: its app, with a context for each request, and what is answered without asking the app. */
export function siteOf(app: Hono<Carried>, parts: SiteParts, shortcut?: Shortcut): Site {
  return {
    routes: app.routes,
    fetch(request, env, execution) {
      try {
        const carrel = newRequestContext(parts, { request, env, execution });
        const kept = shortcut?.(carrel);
        if (kept !== undefined) return kept;
        // Q501: the host is whatever the client says, and nothing can be done with an address that is none.
        if (!URL.canParse(request.url)) return errorAnswer(badAddress(), carrel);
        return app.fetch(request, { carrel }, execution);
      } catch (error) {
        return failureAnswer(error, request, parts.sources.newRequestId());
      }
    },
  };
}

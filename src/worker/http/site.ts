import type { MiddlewareHandler } from "hono";
import { HonoBase } from "hono/hono-base";
import type { AccessState } from "../../db/service/service-state.ts";
import { formatCalls, inInvocation } from "../../db/edge-limits.ts";
import { type Sources, storesOf } from "./bindings.ts";
import { SESSION_COOKIE, cookieValue, isTokenCookie } from "./cookie.ts";
import { bearerOf } from "./bearer.ts";
import { type ErrorFormat, internalError, renderError, createUnmatchedError } from "./error-answers.ts";
import type { IsolateCache } from "./isolate-cache.ts";
import { newTrace } from "./metrics.ts";
import {
  type Actor,
  type RequestContext,
  type Route,
  type Session,
  type HonoEnv,
  isEncrypted,
} from "./operation.ts";
import { BARE_CSP, PRIVATE } from "./reply.ts";
import { mountRoutes } from "./serve.ts";
import { SegmentRouter } from "./segment-router.ts";
import { readAccess, readActor, readClaim, readSession } from "./session.ts";
import { type Settings, settingsOf } from "./settings.ts";
import { siteSettings } from "./pages/site-settings.ts";
import type { SiteSettings } from "./pages/reader.ts";
import { failure } from "./failure.ts";

/**
 * Header and cookie in which a client sends the bookmark of its last write (Q40), in the form of D1:
 * `00000002-00000004-0000507f-d41d8cd98f00b204e9800998ecf8427e`.
 */
export const BOOKMARK_HEADER = "X-Carrel-Bookmark";
/** Header of a request in development that asks for `CALLS_HEADER`. */
export const COUNT_HEADER = "X-Carrel-Count";
/** Header with the calls of a request to its stores until the answer, such as `sequence=2 catalog=2 patron=1`. */
export const CALLS_HEADER = "X-Carrel-Calls";
const BOOKMARK_COOKIE = /(?:^|;\s*)carrel_bookmark=([\w-]{1,200})/;

export interface SiteDefinition {
  readonly routes: readonly Route[];
  readonly prefix: string;
  readonly cache: IsolateCache;
  readonly sources: Sources;
  /** In the order in which a request meets them. */
  readonly middleware: readonly MiddlewareHandler<HonoEnv>[];
  readonly errors: ErrorFormat;
  headers?(requestId: string, settings: Settings): Record<string, string>;
  /** True if paths are taken as they were sent, without decoding. */
  readonly hasRawPaths?: boolean;
  /** Returns the client of a request; absent: the address that the platform has seen. */
  client?(headers: Headers): string;
  token?(headers: Headers): string | undefined;
  /** True if clients may send a token of their own in place of a cookie. */
  readonly readsBearer?: boolean;
  shortcut?(context: RequestContext): Response | undefined;
}

export interface Site {
  fetch(request: Request, env: Env, execution: ExecutionContext): Response | Promise<Response>;
  readonly routes: HonoBase<HonoEnv>["routes"];
}

export function createSite(definition: SiteDefinition): Site {
  const { routes, prefix, errors, middleware, shortcut, sources, hasRawPaths = false } = definition;
  const app = new HonoBase<HonoEnv>({
    router: new SegmentRouter(),
    ...(hasRawPaths && { getPath: rawPath }),
  });
  for (const step of middleware) app.use(step);
  mountRoutes(app, definition);
  app.onError((error, c) => renderError(error, c.env.carrel, errors));
  const unmatchedError = createUnmatchedError(routes, prefix, errors);
  app.notFound((c) => renderError(unmatchedError(c.env.carrel.url.pathname), c.env.carrel, errors));
  const site: Site = {
    routes: app.routes,
    fetch(received, env, execution) {
      const bearer = definition.readsBearer === true ? bearerOf(received.headers) : undefined;
      const request = bearer === undefined ? received : withoutCookies(received);
      try {
        const answer = (other: Request) => site.fetch(other, env, execution);
        const carrel = createRequestContext(definition, { request, bearer, env, execution, answer });
        const cached = shortcut?.(carrel);
        if (cached !== undefined) return cached;
        // Q501: the client chooses the host, and an invalid URL cannot be handled.
        if (!URL.canParse(request.url)) {
          return errors.answer(failure("bad_request.url", {}, { code: "bad_address" }), carrel);
        }
        const kind = () => `request ${carrel.trace.operation}`;
        return inInvocation(carrel.settings.EDGE_LIMITS, kind, () =>
          app.fetch(request, { carrel }, execution),
        );
      } catch (error) {
        // For instance invalid settings.
        const pathname = URL.parse(request.url)?.pathname ?? "";
        const bare = { headers: {}, cookies: [], bearer: undefined };
        return errors.answer(internalError(error, pathname, sources.newRequestId()), bare);
      }
    },
  };
  return site;
}

function rawPath(_request: Request, options?: { env?: HonoEnv["Bindings"] }): string {
  return options?.env?.carrel.url.pathname ?? "";
}

/** Request as it arrived, and the functions that it needs. */
interface Arrived extends Pick<RequestContext, "request" | "bearer" | "answer"> {
  readonly env: Env;
  readonly execution: ExecutionContext;
}

function createRequestContext(
  {
    cache,
    sources,
    routes,
    headers = publicHeaders,
    client = (received) => received.get("CF-Connecting-IP") ?? "local",
    token = (received) => cookieValue(received.get("Cookie"), SESSION_COOKIE),
  }: SiteDefinition,
  { request, bearer, env, execution, answer }: Arrived,
): RequestContext {
  const requestId = sources.newRequestId();
  const settings = settingsOf(env);
  const isCounted = settings.ENVIRONMENT === "development" && request.headers.has(COUNT_HEADER);
  let url: URL | undefined;
  const tokenText = bearer ?? token(request.headers);
  let isDropped = false;
  let claim: Promise<Session | undefined> | undefined;
  const claimed = () => (claim ??= readClaim({ settings, bearer }, tokenText));
  let found: Promise<Session | undefined> | undefined;
  const session = (mayBeRecent = false) =>
    (found ??= readSession(context, tokenText, { claimed: claimed(), mayBeRecent }));
  let access: Promise<AccessState> | undefined;
  let actor: Promise<Actor> | undefined;
  let site: Promise<SiteSettings> | undefined;
  const context: RequestContext = {
    sources,
    cache,
    routes,
    request,
    requestId,
    now: sources.now(),
    settings,
    stores: storesOf(env),
    get url() {
      // Most answers come from a cache, by the unparsed URL.
      return (url ??= new URL(request.url));
    },
    client: client(request.headers),
    bearer,
    bookmark: bookmarkOf(request.headers),
    headers: isCounted ? withCalls(headers(requestId, settings)) : headers(requestId, settings),
    cookies: [],
    trace: newTrace(),
    session() {
      // Answers that depend on the client are never cached, regardless of the operation's headers.
      context.headers["Cache-Control"] = PRIVATE;
      return isDropped ? NO_SESSION : session();
    },
    claim() {
      context.headers["Cache-Control"] = PRIVATE;
      return isDropped ? NO_SESSION : claimed();
    },
    token: ({ mayBeRecent }) =>
      bearer !== undefined || isTokenCookie(tokenText) ? session(mayBeRecent) : undefined,
    dropSession() {
      isDropped = true;
    },
    actor: () => (actor ??= readActor(context, claimed())),
    accessState: () => (access ??= readAccess(context, claimed())),
    site: () => (site ??= siteSettings.get(context)),
    waitUntil: (promise) => execution.waitUntil(promise),
    answer,
  };
  return context;
}

const NO_SESSION = Promise.resolve(undefined);

/** Removes the cookies of a request with a token: the token counts, and nothing that a browser has stored. */
function withoutCookies(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("Cookie");
  return new Request(request, { headers });
}

/** Adds the header of the calls, whose value is read when the answer is complete. */
function withCalls(headers: Record<string, string>): Record<string, string> {
  return Object.defineProperty(headers, CALLS_HEADER, { enumerable: true, get: formatCalls });
}

/** Period in which browsers use HTTPS only, for hosts below this one too (RFC 6797). */
const TRANSPORT_SECURITY = { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };

/** Headers besides the usual ones that scripts of other sites may read. */
const EXPOSED_HEADERS =
  "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Carrel-Bookmark, X-Carrel-Expanded, " +
  "X-Corrected-Query, X-Facets, X-Lending-Error, X-Request-Id, X-Suggested-Query";

function publicHeaders(requestId: string, settings: Settings): Record<string, string> {
  return {
    ...(isEncrypted(settings) && TRANSPORT_SECURITY),
    "X-Request-Id": requestId,
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": BARE_CSP,
    // Scripts of every origin may read public data, without cookies.
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
  };
}

function bookmarkOf(headers: Headers): string | undefined {
  const header = headers.get(BOOKMARK_HEADER);
  if (header !== null && /^[\w-]{1,200}$/.test(header)) return header;
  const cookie = headers.get("Cookie");
  return cookie === null ? undefined : BOOKMARK_COOKIE.exec(cookie)?.[1];
}

import { createMiddleware } from "hono/factory";
import { inLogScope, logLine, loggablePath } from "./log.ts";
import { countAnswer, createLogScope, writePoint } from "./metrics.ts";
import { type RequestContext, type HonoEnv, type Route, isRead, isEncrypted, rootPath } from "./operation.ts";
import { withSafeMethods } from "./error-answers.ts";
import { pathPattern, plainPath } from "./paths.ts";
import { parseAllowedUrl } from "../../catalog/allowed-url.ts";
import { isOwnOrigin } from "./redirect-target.ts";
import { isBasic } from "./bearer.ts";
import { SESSION_COOKIE, cookieValue } from "./cookie.ts";
import type { Settings } from "./settings.ts";
import { failure } from "./failure.ts";

const SLOW_REQUEST_MS = 2000;

/**
 * Logs one line per request: all of them with `LOG_REQUESTS=all`, else those that failed or were slow. The query is
 * left out, because it may contain search terms of people. Writes a data point for every request.
 */
export const accessLog = createMiddleware<HonoEnv>((c, next) => {
  const context = c.env.carrel;
  const { stores, requestId } = context;
  return inLogScope(createLogScope(stores.metrics, { requestId }), async () => {
    await next();
    logRequest(context, c.res.status);
  });
});

export function logRequest(context: RequestContext, status: number): void {
  const { sources, settings, stores, request, requestId, trace } = context;
  const { method } = request;
  const { operation, source } = trace;
  const duration = sources.now() - context.now;
  countAnswer(status, source);
  writePoint(stores.metrics, "request", [[operation, method, String(status), source], [duration]]);
  const isProblem = status >= 500 || duration > SLOW_REQUEST_MS;
  if (settings.LOG_REQUESTS !== "all" && !isProblem) return;
  logLine(status >= 500 ? "error" : "info", "request", {
    // Answers from the in-memory cache have no scope.
    requestId,
    method,
    path: loggablePath(context.url.pathname),
    operation,
    source,
    status,
    duration,
  });
}

/**
 * Returns true for a request without encryption to a site with it. Before a service on one machine stands a proxy that
 * decrypts; Cloudflare sets the header itself.
 */
export function isPlainHttp({ request, settings }: RequestContext): boolean {
  if (!request.url.startsWith("http:") || settings.ENVIRONMENT !== "production") return false;
  return isEncrypted(settings) && request.headers.get("X-Forwarded-Proto") !== "https";
}

/** Redirects to HTTPS (Q522). Refuses requests that change something, so that the client learns of the mistake. */
export const httpsOnly = createMiddleware<HonoEnv>((c, next) => {
  const context = c.env.carrel;
  if (!isPlainHttp(context)) return next();
  if (!isRead(context.request.method) && context.request.method !== "OPTIONS") {
    throw failure("forbidden.https", {}, { code: "https_required" });
  }
  const target = new URL(context.url);
  target.protocol = "https:";
  target.port = "";
  target.pathname = rootPath(context.settings.BASE_URL) + target.pathname;
  const headers = { ...context.headers, Location: target.href };
  return Promise.resolve(new Response(null, { status: 308, headers }));
});

const CORS_METHODS = "GET, HEAD, OPTIONS";
const ALL_METHODS = "GET, HEAD, POST, PUT, DELETE, OPTIONS";
/** Routes that apps call without a token yet, or with one in the body. */
const APP_ROUTES = /^\/(?:mcp|oauth2\/(?:register|revoke|token))$/;

/**
 * Answers OPTIONS of any path (Q42): scripts of other origins may read, and change what their token permits, as they send
 * no cookies. Refuses a preflight for any other method.
 */
export const preflight = createMiddleware<HonoEnv>((c, next) => {
  const { headers, request } = c.env.carrel;
  if (request.method !== "OPTIONS") return next();
  const requestedMethod = request.headers.get("Access-Control-Request-Method");
  const allowed = request.headers.get("Access-Control-Request-Headers");
  const isOpen = /\bauthorization\b/i.test(allowed ?? "") || APP_ROUTES.test(c.env.carrel.url.pathname);
  const isSafe = requestedMethod === null || isRead(requestedMethod) || requestedMethod === "OPTIONS";
  if (!isSafe && !isOpen) {
    return Promise.resolve(new Response("Disallowed CORS method", { status: 400, headers }));
  }
  const response = new Response(null, {
    status: 200,
    headers: {
      ...headers,
      "Access-Control-Allow-Methods": isOpen ? ALL_METHODS : CORS_METHODS,
      "Access-Control-Max-Age": "86400",
      ...(allowed === null ? {} : { "Access-Control-Allow-Headers": allowed }),
    },
  });
  return Promise.resolve(response);
});

const IRREGULAR = /\/\/|\/$|%20|%0[AaDd]/;
const BLANK = /%20|%0[AaDd]/g;
const BOOK_NUMBER_PREFIX = /^\/(?:isbn|oclc|lccn|ia)(?=\/)/i;

/**
 * Redirects odd spellings of a path to the normal one: repeated slashes and blanks with 308, a trailing slash with 307
 * as FastAPI does. The query is kept. Below `/api/` and `/providers/` the path contains identifiers and texts, whose
 * blanks stay. `/Isbn/…` becomes `/isbn/…`; in capitals it is an address of its own.
 */
export const normalPath = createMiddleware<HonoEnv>(async (c, next) => {
  const { url, headers } = c.env.carrel;
  const { pathname } = url;
  if (!IRREGULAR.test(pathname) && !BOOK_NUMBER_PREFIX.test(pathname)) return next();
  const filled = /^\/(?:api|providers)\//.test(pathname) ? pathname : pathname.replace(BLANK, "_");
  const clean = filled.replace(/\/{2,}/g, "/").replace(BOOK_NUMBER_PREFIX, foldCase);
  const path = clean === "/" ? clean : clean.replace(/\/$/, "");
  if (path === pathname) return next();
  // Q10: 307 for a slash at the end, 308 for all else.
  return new Response(null, {
    status: clean === pathname ? 307 : 308,
    headers: { ...headers, Location: path + url.search },
  });
});

function foldCase(word: string): string {
  return word === word.toUpperCase() ? word : word.toLowerCase();
}

const HOOKS_FOLDER = /^\/api(?:\/|$)/;
/** Routes below the folder that are not older hooks: they answer other methods like routes elsewhere. */
const NOT_HOOKS = /^\/api\/(?:books|volumes|likes?|patron|monthly_logins)(?:[./]|$)/;

/** Fails unknown hooks of the older API without a body: 404, or 405 for other methods (Q367). */
export function knownHooks(routes: readonly Route[], prefix: string) {
  const hooks = routes
    .filter(({ path }) => HOOKS_FOLDER.test(path))
    .map((route) => ({ method: route.method, pattern: pathPattern(route, prefix) }));
  return createMiddleware<HonoEnv>((c, next) => {
    const { request, url } = c.env.carrel;
    const path = plainPath(url.pathname);
    if (!HOOKS_FOLDER.test(path) || NOT_HOOKS.test(path)) return next();
    const methods = hooks.filter(({ pattern }) => pattern.expression.test(path)).map(({ method }) => method);
    // A HEAD is a GET without its body.
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (methods.some((allowed) => allowed === method)) return next();
    if (methods.length === 0) throw failure("not_found.page", {}, { body: null });
    const headers = { Allow: withSafeMethods(methods).join(", ") };
    throw failure("method_not_allowed.page", {}, { body: null, headers });
  });
}

/** Routes that may open a session. */
const OPENS_SESSION = /^\/(?:account\/|oauth2\/token-to-cookie$)/;

/**
 * Refuses cross-site requests of browsers: state-changing requests that carry a session or a password stored by the
 * browser, and those that would open a session. Programs send neither of the two headers and pass.
 */
export const sameOrigin = createMiddleware<HonoEnv>((c, next) => {
  const context = c.env.carrel;
  const { request, url, settings, bearer } = context;
  if (isRead(request.method) || (bearer !== undefined && !isBasic(request.headers))) return next();
  const pathname = plainPath(url.pathname);
  if (!isAuthenticated(request) && !OPENS_SESSION.test(pathname)) return next();
  if (isAllowedOrigin(request.headers.get("Origin"), pathname, settings) || !isCrossOrigin(context))
    return next();
  const message = "Cross-site request refused";
  throw failure("forbidden.cross_site", {}, { code: "cross_site", message });
});

function isAuthenticated({ headers }: Request): boolean {
  return cookieValue(headers.get("Cookie"), SESSION_COOKIE) !== undefined || isBasic(headers);
}

function isCrossOrigin(context: RequestContext): boolean {
  const { headers } = context.request;
  const site = headers.get("Sec-Fetch-Site");
  if (site === "cross-site") return true;
  if (site === "same-origin" || site === "none") return false;
  // The neighbour under the same domain, or a browser that sends the origin alone; programs send nothing.
  const origin = headers.get("Origin");
  return origin === null ? site !== null : !isOwnOrigin(origin, context);
}

/** Returns true for origins that may log in here, and for library systems that send forms of their own pages. */
function isAllowedOrigin(origin: string | null, pathname: string, { LOGIN_ORIGINS, ILS_HOSTS }: Settings) {
  if (/^\/account\/login(?:\.json)?$/.test(pathname))
    return origin !== null && LOGIN_ORIGINS.includes(origin);
  return pathname.startsWith("/api/ils_") && parseAllowedUrl(origin, ILS_HOSTS) !== undefined;
}

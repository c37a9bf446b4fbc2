import { createMiddleware } from "hono/factory";
import { allowedUrl } from "../../catalog/allowed-url.ts";
import { wantsHtml } from "./accept.ts";
import { SESSION_COOKIE, cookieValue } from "./cookie.ts";
import { CarrelError } from "./errors.ts";
import { type RequestContext, baseUrl } from "./operation.ts";
import { plainPath } from "./paths.ts";
import { READING } from "./preflight.ts";
import type { Carried } from "./serve.ts";
import type { Settings } from "./settings.ts";

/**
 * Refuses cross-site requests of browsers: state-changing requests that carry a session or a password stored by the
 * browser, and those that would open a session. Programs send neither of the two headers and pass.
 */
export const sameOrigin = createMiddleware<Carried>((c, next) => {
  const context = c.env.carrel;
  const { request, url, settings } = context;
  if (READING.has(request.method)) return next();
  const pathname = plainPath(url.pathname);
  if (!isSomebody(request) && !pathname.startsWith("/account/")) return next();
  if (isLetIn(request.headers.get("Origin"), pathname, settings) || !isForeign(context)) return next();
  throw new CarrelError(403, "cross_site", { message: "Cross-site request refused" });
});

function isSomebody({ headers }: Request): boolean {
  const hasSession = cookieValue(headers.get("Cookie"), SESSION_COOKIE) !== undefined;
  return hasSession || /^Basic /i.test(headers.get("Authorization") ?? "");
}

function isForeign(context: RequestContext): boolean {
  const { headers } = context.request;
  const site = headers.get("Sec-Fetch-Site");
  if (site === "cross-site") return true;
  if (site === "same-origin" || site === "none") return false;
  // The neighbour under the same domain, or a browser that sends the origin alone; programs send nothing.
  const origin = headers.get("Origin");
  return origin === null ? site !== null : !isOwnOrigin(origin, context);
}

/**
 * Returns true if other sites may send the request: allowed origins may log in here, and library systems may send the
 * forms of their own pages.
 */
function isLetIn(origin: string | null, pathname: string, { LOGIN_ORIGINS, ILS_HOSTS }: Settings): boolean {
  if (/^\/account\/login(?:\.json)?$/.test(pathname))
    return origin !== null && LOGIN_ORIGINS.includes(origin);
  return pathname.startsWith("/api/ils_") && allowedUrl(origin, ILS_HOSTS) !== undefined;
}

/** Headers that browsers send when they prefetch a page. */
const PREFETCH_HEADERS = ["Sec-Purpose", "Purpose", "X-Moz"];

/**
 * Returns true if a link may change something: it was followed on a page of this service, or typed, or a program calls
 * it. Browsers report their origin in `Sec-Fetch-Site`; old ones, and all without encryption, in `Referer` alone, which
 * other sites can suppress. So a browser that reports nothing may have been led here.
 */
export function isOwnLink(context: RequestContext): boolean {
  const { request } = context;
  if (PREFETCH_HEADERS.some((name) => request.headers.has(name))) return false;
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null) return site === "same-origin" || site === "none";
  const referer = request.headers.get("Referer");
  return referer === null ? !wantsHtml(request) : isOwnOrigin(URL.parse(referer)?.origin, context);
}

/** Returns true for the origin of this service, as the request or as the configuration names it. */
export function isOwnOrigin(origin: string | undefined, context: RequestContext): boolean {
  return origin === context.url.origin || origin === new URL(baseUrl(context)).origin;
}

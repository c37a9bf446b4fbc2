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
 * Refuses what pages of other sites make a browser send: state-changing requests that carry a session or a password that the
 * browser keeps, and those that would open a session. Programs send neither of the two headers and pass.
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
  // The neighbour under the same domain, or a browser that says the origin alone; programs say nothing.
  const origin = headers.get("Origin");
  return origin === null ? site !== null : !isOwnOrigin(origin, context);
}

/** Other sites may log in here, and library systems send the forms of their own pages. */
function isLetIn(origin: string | null, pathname: string, { LOGIN_ORIGINS, ILS_HOSTS }: Settings): boolean {
  if (/^\/account\/login(?:\.json)?$/.test(pathname))
    return origin !== null && LOGIN_ORIGINS.includes(origin);
  return pathname.startsWith("/api/ils_") && allowedUrl(origin, ILS_HOSTS) !== undefined;
}

/** Headers that browsers send with pages that nobody has asked for yet. */
const PREFETCH_HEADERS = ["Sec-Purpose", "Purpose", "X-Moz"];

/**
 * True for a link that may change something: it was followed on a page of this service, or typed, or a program calls it.
 * Browsers say where they come from by `Sec-Fetch-Site`; old ones, and all where nothing is encrypted, by `Referer`
 * alone, which pages elsewhere can suppress. So where a browser says nothing it may have been led here.
 */
export function isOwnLink(context: RequestContext): boolean {
  const { request } = context;
  if (PREFETCH_HEADERS.some((name) => request.headers.has(name))) return false;
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null) return site === "same-origin" || site === "none";
  const referer = request.headers.get("Referer");
  return referer === null ? !wantsHtml(request) : isOwnOrigin(URL.parse(referer)?.origin, context);
}

/** True for the origin of this service, as it is asked or as it calls itself. */
export function isOwnOrigin(origin: string | undefined, context: RequestContext): boolean {
  return origin === context.url.origin || origin === new URL(baseUrl(context)).origin;
}

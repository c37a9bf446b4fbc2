import { createMiddleware } from "hono/factory";
import { baseUrl } from "../context.ts";
import { CarrelError } from "../errors.ts";
import { plainPath } from "../path-pattern.ts";
import type { Variables } from "../serve.ts";
import { SESSION_COOKIE, cookieValue } from "../sessions/cookie.ts";

const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses what pages of other sites make a browser send: state-changing requests that carry a session, and those that
 * would open one (patrons.md 3.12). Programs send neither of the two headers and pass.
 */
export const sameOrigin = createMiddleware<Variables>((c, next) => {
  const context = c.get("carrel");
  const { request, url, settings } = context;
  if (READING.has(request.method)) return next();
  const pathname = plainPath(url.pathname);
  const hasSession = cookieValue(request.headers.get("Cookie"), SESSION_COOKIE) !== undefined;
  if (!hasSession && !pathname.startsWith("/account/")) return next();
  const origin = request.headers.get("Origin");
  if (origin !== null && settings.LOGIN_ORIGINS.includes(origin) && isLogin(pathname)) return next();
  const site = request.headers.get("Sec-Fetch-Site");
  const isForeign =
    site === null
      ? origin !== null && origin !== url.origin && origin !== new URL(baseUrl(context)).origin
      : site === "cross-site";
  if (!isForeign) return next();
  throw new CarrelError(403, "cross_site", { message: "Cross-site request refused" });
});

function isLogin(pathname: string): boolean {
  return pathname === "/account/login" || pathname === "/account/login.json";
}

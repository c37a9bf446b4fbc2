import { createMiddleware } from "hono/factory";
import type { Variables } from "../serve.ts";

/**
 * Sends requests for odd spellings of a path to the normal one: repeated slashes and blanks with 308, a
 * trailing slash with 307 as FastAPI does (records.md 2.6, lookup.md 0.3). The query is kept.
 */
export const normalPath = createMiddleware<Variables>(async (c, next) => {
  const { url, headers } = c.get("carrel");
  const { pathname } = url;
  if (!/\/\/|\/$|%20|%0[AaDd]/.test(pathname) || pathname === "/") return next();
  const clean = pathname.replace(/%20|%0[AaDd]/g, "_").replace(/\/{2,}/g, "/");
  const location = (clean.length > 1 ? clean.replace(/\/$/, "") : clean) + url.search;
  return new Response(null, {
    status: clean === pathname ? 307 : 308,
    headers: { ...headers, Location: location },
  });
});

import { createMiddleware } from "hono/factory";
import type { Carried } from "./serve.ts";

const UNUSUAL = /\/\/|\/$|%20|%0[AaDd]/;
const BLANK = /%20|%0[AaDd]/g;
/** Path prefixes of book numbers, in any case. */
const NUMBER_WORD = /^\/(?:isbn|oclc|lccn|ia)(?=\/)/i;

/**
 * Redirects odd spellings of a path to the normal one: repeated slashes and blanks with 308, a trailing slash with 307
 * as FastAPI does. The query is kept. Below `/api/` the path contains identifiers, whose blanks stay. `/Isbn/…` becomes
 * `/isbn/…`; in capitals it is an address of its own.
 */
export const normalPath = createMiddleware<Carried>(async (c, next) => {
  const { url, headers } = c.env.carrel;
  const { pathname } = url;
  if (!UNUSUAL.test(pathname) && !NUMBER_WORD.test(pathname)) return next();
  const filled = pathname.startsWith("/api/") ? pathname : pathname.replace(BLANK, "_");
  const clean = filled.replace(/\/{2,}/g, "/").replace(NUMBER_WORD, knownCase);
  const path = clean === "/" ? clean : clean.replace(/\/$/, "");
  if (path === pathname) return next();
  // Q10: 307 for a slash at the end, 308 for all else.
  return new Response(null, {
    status: clean === pathname ? 307 : 308,
    headers: { ...headers, Location: path + url.search },
  });
});

function knownCase(word: string): string {
  return word === word.toUpperCase() ? word : word.toLowerCase();
}

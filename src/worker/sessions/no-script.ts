import { SESSION_COOKIE, cookieValue } from "./cookie.ts";

/** The parameter that asks for a script (JSONP). */
export const CALLBACK = "callback";

/**
 * Q515: true when a request with a session asks for a script. It gets JSON, as if it had not: pages of other sites can
 * read scripts, and should a browser send them the cookie, they learn nothing by it (records.md 13.4).
 */
export function getsNoScript({ url, headers }: Request): boolean {
  const cookies = headers.get("Cookie");
  if (cookies === null || !url.includes("?")) return false;
  if ((cookieValue(cookies, SESSION_COOKIE) ?? "") === "") return false;
  // Q501: caches ask before it is known that the address is one.
  return URL.parse(url)?.searchParams.has(CALLBACK) === true;
}

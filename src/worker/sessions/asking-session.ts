import type { RequestContext } from "../context.ts";
import { SESSION_COOKIE, cookieValue } from "./cookie.ts";
import type { Session } from "./session.ts";

/**
 * The session of a request whose answer is the same for everybody without one, and says `Vary: Cookie`: without a cookie
 * nothing is looked up, and caches may keep the answer.
 */
export async function askingSession(context: RequestContext): Promise<Session | undefined> {
  const cookie = cookieValue(context.request.headers.get("Cookie"), SESSION_COOKIE) ?? "";
  return cookie === "" ? undefined : context.session();
}

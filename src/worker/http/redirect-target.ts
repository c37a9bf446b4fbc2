import { wantsHtml } from "./accept.ts";
import type { RequestContext } from "./operation.ts";
import { isOwnOrigin } from "./same-origin.ts";
import { type Reply, seeOther } from "./reply.ts";

/** Longest redirect target after a login, in characters. */
export const REDIRECT_LENGTH_MAX = 2000;

/** Pages that would lead back to the login flow. */
const LOOPS = ["/account/login", "/account/create", "/account/verify"];
const UNSAFE = /[\\\p{Cc}]/u;

/** Returns true for a path on this site: browsers read `//`, and `/\` too, as the start of another host. */
export function isLocalPath(text: string): boolean {
  return /^\/(?!\/)/.test(text) && !UNSAFE.test(text) && text.length <= REDIRECT_LENGTH_MAX;
}

/** Returns the target after a login: a path on this site outside the login flow; undefined for anything else. */
export function redirectTarget(text: string): string | undefined {
  return isLocalPath(text) && !LOOPS.some((loop) => text.includes(loop)) ? text : undefined;
}

/** Default target of clients that came from no page of this site. */
const OWN_BOOKS = "/account/books";

/**
 * Answers a change in the client's format (Q229): people who sent a form are redirected to its page, programs get
 * `reply`. `target` is the form's field `redir_url`, if it has one; otherwise the parameter `redir_url` of the address
 * decides, or the `Referer`.
 */
export function backOr(context: RequestContext, reply: Reply, target?: string): Reply {
  return wantsHtml(context.request) ? seeOther(backPath(context, target)) : reply;
}

/** Returns the path on this site that a form came from, skipping targets on other sites. */
function backPath(context: RequestContext, target?: string): string {
  const wanted = [target, context.url.searchParams.get("redir_url"), refererPath(context)];
  const found = wanted.find((path) => typeof path === "string" && path !== "" && isLocalPath(path));
  return found ?? OWN_BOOKS;
}

function refererPath(context: RequestContext): string | undefined {
  const referer = URL.parse(context.request.headers.get("Referer") ?? "");
  return referer !== null && isOwnOrigin(referer.origin, context)
    ? referer.pathname + referer.search
    : undefined;
}

import { wantsHtml } from "./accept.ts";
import type { RequestContext } from "./operation.ts";
import { isOwnOrigin } from "./same-origin.ts";
import { type Reply, seeOther } from "./reply.ts";

/** Longest place to go to after a login, in characters. */
export const REDIRECT_LENGTH_MAX = 2000;

/** Pages that would lead back to where somebody just was. */
const LOOPS = ["/account/login", "/account/create", "/account/verify"];
const UNSAFE = /[\\\p{Cc}]/u;

/** True for a place on this site: browsers read `//`, and `/\` too, as the start of another host. */
export function isLocalPath(text: string): boolean {
  return /^\/(?!\/)/.test(text) && !UNSAFE.test(text) && text.length <= REDIRECT_LENGTH_MAX;
}

/** Where to go after a login: a place on this site that is no part of logging in; undefined for anything else. */
export function redirectTarget(text: string): string | undefined {
  return isLocalPath(text) && !LOOPS.some((loop) => text.includes(loop)) ? text : undefined;
}

/** Where somebody goes on who came from nowhere on this site. */
const OWN_BOOKS = "/account/books";

/**
 * Q229: the answer to a change, for whoever asked for it: people who sent a form are led back to the page that it stood on,
 * programs get `reply`. `target` is the form's field `redir_url`, if it has one; otherwise the parameter `redir_url` of
 * the address holds, or the page that the browser says it comes from.
 */
export function backOr(context: RequestContext, reply: Reply, target?: string): Reply {
  return wantsHtml(context.request) ? seeOther(backPath(context, target)) : reply;
}

/** The place on this site that a form came from: whatever leads to another site, or round in a circle, is passed over. */
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

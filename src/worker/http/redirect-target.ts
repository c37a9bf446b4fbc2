import { wantsHtml } from "./accept.ts";
import { type RequestContext, baseUrl, rootPath } from "./operation.ts";
import { type Reply, seeOther } from "./reply.ts";

export const REDIRECT_LENGTH_MAX = 2000;

const LOGIN_FLOW = ["/account/login", "/account/create", "/account/verify"];
const UNSAFE = /[\\\p{Cc}]/u;

/** Returns true for a path on this site: browsers read `//`, and `/\` too, as the start of another host. */
export function isLocalPath(text: string): boolean {
  return /^\/(?!\/)/.test(text) && !UNSAFE.test(text) && text.length <= REDIRECT_LENGTH_MAX;
}

/** Returns the target after a login: a path on this site outside the login flow; undefined for anything else. */
export function redirectTarget(text: string): string | undefined {
  const [path = ""] = text.split(/[?#]/);
  return isLocalPath(text) && !LOGIN_FLOW.some((loop) => path.includes(loop)) ? text : undefined;
}

const OWN_BOOKS = "/account/books";

/**
 * Answers a change in the client's format (Q229): people who sent a form are redirected to its page, programs get
 * `reply`. `target` is the form's field `redir_url`, if it has one; otherwise the parameter `redir_url` of the address
 * decides, or the `Referer`.
 */
export function backOr(context: RequestContext, reply: Reply, target?: string): Reply {
  return wantsHtml(context.request) ? seeOther(backPath(context, target)) : reply;
}

function backPath(context: RequestContext, target?: string): string {
  const candidates = [target, context.url.searchParams.get("redir_url"), refererPath(context)];
  return candidates.find((path) => typeof path === "string" && path !== "" && isLocalPath(path)) ?? OWN_BOOKS;
}

function refererPath(context: RequestContext): string | undefined {
  const referer = URL.parse(context.request.headers.get("Referer") ?? "");
  return referer !== null && isOwnOrigin(referer.origin, context)
    ? sitePath(referer.href, baseUrl(context))
    : undefined;
}

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

/**
 * Returns the path, query and fragment of a URL, or of a path of this site. The path of the site (Q867) is left out of a
 * URL; undefined if it begins otherwise.
 */
export function sitePath(text: string, base: string): string | undefined {
  const url = URL.parse(text, base);
  if (url === null) return undefined;
  const path = url.pathname + url.search + url.hash;
  const root = URL.canParse(text) ? rootPath(base) : "";
  if (root === "") return path;
  const rest = path.slice(root.length);
  if (!path.startsWith(root) || !/^(?:[/?#]|$)/.test(rest)) return undefined;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * Returns the path, query and fragment of a path or URL on this site; undefined for other sites. Reads URLs like
 * browsers, which take `\` for `/` and resolve `.` and `..`.
 */
export function toLocalPath(text: string, base: string): string | undefined {
  const url = URL.parse(text, base);
  if (url === null || url.origin !== new URL(base).origin) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  const path = sitePath(text, base);
  // `/.//host` is on this site, but it resolves to `//host`, which is another site.
  return path !== undefined && isLocalPath(path) ? path : undefined;
}

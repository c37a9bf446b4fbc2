import { wantsHtml } from "./accept.ts";
import { type RequestContext, baseUrl } from "./operation.ts";

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

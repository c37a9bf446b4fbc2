import type { RequestContext } from "../context.ts";
import { authenticationRequired, forbidden } from "../errors.ts";
import { hasRole } from "../sessions/access.ts";

/** Headers that browsers send with pages that nobody has asked for yet. */
const PREFETCH_HEADERS = ["Sec-Purpose", "Purpose", "X-Moz"];
/** Where a request may come from that deletes: an address that was typed, a program, our own pages. */
const OWN_SITES: ReadonlySet<string | null> = new Set([null, "none", "same-origin"]);

/** True when the address of a GET asks for a deletion; a HEAD never does. */
export function isDeletionLink({ request, url }: RequestContext): boolean {
  return request.method === "GET" && url.searchParams.has("_delete");
}

/**
 * Lets only administrators delete by a link, and only one that they have followed here themselves (records.md 5.1):
 * no page elsewhere and no prefetching browser can.
 */
export async function allowDeletionLink(context: RequestContext): Promise<void> {
  // Q112: the only GET that changes anything.
  const { headers } = context.request;
  const isForeign = !OWN_SITES.has(headers.get("Sec-Fetch-Site"));
  if (isForeign || PREFETCH_HEADERS.some((name) => headers.has(name))) {
    throw forbidden("A link elsewhere cannot delete");
  }
  const actor = await context.actor();
  if (actor.key === null) throw authenticationRequired("Session");
  if (!hasRole(actor, "admin")) throw forbidden();
}

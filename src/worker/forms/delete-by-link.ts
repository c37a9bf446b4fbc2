import type { RequestContext } from "../context.ts";
import { authenticationRequired, forbidden } from "../errors.ts";
import { isOwnLink } from "../own-link.ts";
import { hasRole } from "../sessions/access.ts";

/** True when the address of a GET asks for a deletion; a HEAD never does. */
export function isDeletionLink({ request, url }: RequestContext): boolean {
  return request.method === "GET" && url.searchParams.has("_delete");
}

/**
 * Lets only administrators delete by a link, and only one that they have followed here themselves (records.md 5.1):
 * no page elsewhere and no prefetching browser can.
 */
export async function allowDeletionLink(context: RequestContext): Promise<void> {
  // Q112
  const actor = await context.actor();
  if (actor.key === null) throw authenticationRequired("Session");
  if (!isOwnLink(context)) throw forbidden("A link elsewhere cannot delete");
  if (!hasRole(actor, "admin")) throw forbidden();
}

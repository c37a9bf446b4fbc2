import type { ShelfId } from "../../catalog/patrons/shelves.ts";
import { hasRole } from "../../catalog/roles.ts";
import type { RequestContext } from "../http/operation.ts";
import { askingSession, patronOf } from "../http/session.ts";

/** Reader of a page that is public. */
export interface PageReader {
  /** Undefined without a session. */
  readonly username: string | undefined;
  readonly isLibrarian: boolean;
  /** The reader's state of the work; undefined without a session, and if the page is not about a work. */
  readonly own: { readonly shelf: ShelfId | null; readonly stars: number | null } | undefined;
}

/**
 * Returns the reader of a page; makes no calls without a cookie. `work` is the number of the work that the page is
 * about.
 */
export async function pageReader(context: RequestContext, work: number | undefined): Promise<PageReader> {
  const session = await askingSession(context);
  if (session === undefined) return { username: undefined, isLibrarian: false, own: undefined };
  const { username } = session;
  const { shelves } = patronOf(context.stores, username);
  const [actor, entry, rating] = await Promise.all([
    context.actor(),
    work === undefined ? undefined : shelves.entry(work),
    work === undefined ? undefined : shelves.rating(work),
  ]);
  const own = work === undefined ? undefined : { shelf: entry?.shelf ?? null, stars: rating?.stars ?? null };
  return { username, isLibrarian: hasRole(actor, "librarian"), own };
}

import type { ShelfId } from "../../catalog/patrons/shelves.ts";
import { hasRole } from "../../catalog/roles.ts";
import { type Flash, takeFlash } from "../http/flash.ts";
import type { RequestContext } from "../http/operation.ts";
import { askingSession, patronOf } from "../http/session.ts";

/** Who looks at a page that others see as well. */
export interface PageReader {
  /** Undefined without a session. */
  readonly username: string | undefined;
  readonly isLibrarian: boolean;
  /** What he has of the work; undefined without a session, and where the page is not about a work. */
  readonly own: { readonly shelf: ShelfId | null; readonly stars: number | null } | undefined;
  /** What became of what he did on the page before. */
  readonly messages: readonly Flash[];
}

/** Looks up who looks; without a cookie nobody is asked. `work` is the number of the work that the page is about. */
export async function pageReader(context: RequestContext, work: number | undefined): Promise<PageReader> {
  const messages = takeFlash(context);
  const session = await askingSession(context);
  if (session === undefined) return { username: undefined, isLibrarian: false, own: undefined, messages };
  const { username } = session;
  const { shelves } = patronOf(context.stores, username);
  const [actor, entry, rating] = await Promise.all([
    context.actor(),
    work === undefined ? undefined : shelves.entry(work),
    work === undefined ? undefined : shelves.rating(work),
  ]);
  const own = work === undefined ? undefined : { shelf: entry?.shelf ?? null, stars: rating?.stars ?? null };
  return { username, isLibrarian: hasRole(actor, "librarian"), own, messages };
}

/** True when a page shows nothing that is the reader's own, so that others may get the same (Q436). */
export function isForEverybody({ username, messages }: PageReader): boolean {
  return username === undefined && messages.length === 0;
}

import type { ShelfId } from "../../catalog/patrons/shelves.ts";
import { hasRole } from "../../catalog/roles.ts";
import { type Flash, takeFlash } from "../http/flash.ts";
import type { RequestContext } from "../http/operation.ts";
import { askingSession, patronOf } from "../http/session.ts";

/** What a patron has of a work. */
interface OwnBook {
  readonly shelf: ShelfId | null;
  readonly stars: number | null;
}

/** Who looks at a page that others see as well. */
export interface PageReader {
  /** Undefined without a session. */
  readonly username: string | undefined;
  readonly isLibrarian: boolean;
  /** Undefined without a session, and where the page is not about a work. */
  readonly own: OwnBook | undefined;
  /** What became of what he did on the page before. */
  readonly messages: readonly Flash[];
}

/** Looks up who looks; without a cookie nobody is asked. `work` is the number of the work that the page is about. */
export async function pageReader(context: RequestContext, work: number | undefined): Promise<PageReader> {
  const messages = takeFlash(context);
  const session = await askingSession(context);
  if (session === undefined) return { username: undefined, isLibrarian: false, own: undefined, messages };
  const { username } = session;
  const [actor, own] = await Promise.all([
    context.actor(),
    work === undefined ? undefined : ownBook(context, username, work),
  ]);
  return { username, isLibrarian: hasRole(actor, "librarian"), own, messages };
}

async function ownBook(context: RequestContext, username: string, work: number): Promise<OwnBook> {
  const { shelves } = patronOf(context.stores, username);
  const [entry, rating] = await Promise.all([shelves.entry(work), shelves.rating(work)]);
  return { shelf: entry?.shelf ?? null, stars: rating?.stars ?? null };
}

/** True when a page shows nothing that is the reader's own, so that others may get the same (Q436). */
export function isForEverybody({ username, messages }: PageReader): boolean {
  return username === undefined && messages.length === 0;
}

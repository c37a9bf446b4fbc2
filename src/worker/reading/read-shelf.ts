import type { ShelfId } from "../../catalog/patrons/shelves.ts";
import type { JsonObject } from "../../catalog/record.ts";
import type { RequestContext } from "../http/operation.ts";
import { engineOf } from "../search/engine.ts";
import { patronOf } from "../http/session.ts";
import { loggedDate } from "./logged-date.ts";
import { editionKey } from "./parameters.ts";
import { type LogOwner, requireReadable } from "./readable-log.ts";
import { type FoundEntries, type ShelfFilter, filteredShelf } from "./shelf-filter.ts";
import { shelfWorks } from "./shelf-works.ts";

/** Which part of which shelf. */
export interface WantedShelf {
  readonly shelf: ShelfId;
  readonly filter: ShelfFilter | undefined;
  readonly start: number;
  readonly rows: number;
  /** Without a filter alone: what is searched has the best first. */
  readonly oldestFirst: boolean;
}

/** A part of a shelf as answers show it. */
export interface ShownShelf {
  /** Entries in all: of the shelf, or those that the filter finds. */
  readonly total: number;
  readonly entries: readonly JsonObject[];
}

/** Reads a part of a shelf (patrons.md 5.2). Throws a 403 for others than the patron when he does not show it. */
export async function readShelf(
  context: RequestContext,
  owner: LogOwner,
  wanted: WantedShelf,
): Promise<ShownShelf> {
  const { total, entries } = await findEntries(context, owner, wanted);
  const works = await shelfWorks(context, await engineOf(context), entries);
  const shown = entries.flatMap(({ work, edition, created }) => {
    const found = works.get(work);
    if (found === undefined) return [];
    const [logged_edition, logged_date] = [editionKey(context, edition), loggedDate(created)];
    return [{ work: found, logged_edition, logged_date }];
  });
  return { total, entries: shown };
}

async function findEntries(
  context: RequestContext,
  owner: LogOwner,
  { shelf, filter, start, rows, oldestFirst }: WantedShelf,
): Promise<FoundEntries> {
  const patron = patronOf(context.stores, owner.account.username);
  if (filter === undefined) {
    const page = patron.shelves.page(shelf, { offset: start, limit: rows, oldestFirst });
    // Asked side by side; of two failures the refusal is told.
    const [refused, found] = await Promise.allSettled([requireReadable(context, owner), page]);
    if (refused.status === "rejected") throw refused.reason;
    if (found.status === "rejected") throw found.reason;
    return found.value;
  }
  // A search costs more than to ask first who may read.
  await requireReadable(context, owner);
  const engine = await engineOf(context);
  return filteredShelf(context, { engine, patron }, { shelf, filter, start, rows });
}

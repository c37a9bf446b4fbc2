import { workNumberOfKey } from "../../../catalog/keys.ts";
import type { ShelfId } from "../../../catalog/patrons/shelves.ts";
import type { ShelfEntry } from "../../../durable/patron/shelves.ts";
import type { Sort } from "../../../search/engine.ts";
import { between } from "../../../search/query/query.ts";
import type { RequestContext } from "../../http/operation.ts";
import type { patronOf } from "../../http/session.ts";
import { engineOf, isPrintDisabled } from "../../search/engine.ts";
import { parseSelection } from "../../search/parameters.ts";
import { workKey } from "./own-data.ts";

/** Newest works of a shelf that a search covers. */
const SHELF_FILTER_MAX = 50_000;
const SHELF_QUERY_MIN = 3;

export interface ShelfMatches {
  readonly total: number;
  readonly entries: readonly ShelfEntry[];
}

export interface ShelfSearch {
  readonly shelf: ShelfId;
  readonly filter: { q: string; ebooksOnly: boolean };
  /** Sort order; absent: best matches first. */
  readonly sort?: readonly Sort[];
  readonly start: number;
  readonly rows: number;
}

export const NO_FILTER = { q: "", ebooksOnly: false };

export function parseShelfFilter({ q, mode }: { q: string; mode: string }) {
  const text = Array.from(q).length < SHELF_QUERY_MIN ? "" : q;
  const ebooksOnly = mode === "ebooks";
  return text.trim() === "" && !ebooksOnly ? undefined : { q: text, ebooksOnly };
}

/**
 * Searches a shelf, best matches first. The patron's object lists the numbers of the works, the index selects among
 * them, and the object adds the log times of the selected works. Throws the errors of a search.
 */
export async function searchShelf(
  context: RequestContext,
  patron: ReturnType<typeof patronOf>,
  { shelf, filter, sort = [], start, rows }: ShelfSearch,
): Promise<ShelfMatches> {
  const { works: query } = parseSelection({ q: filter.q, parameters: {} }, context);
  const leastAccess = isPrintDisabled(context) ? "printdisabled" : "borrowable";
  const filters = filter.ebooksOnly ? [between("ebook_access", leastAccess, null)] : [];
  const numbers = await patron.pages.shelfWorks(shelf, { limit: SHELF_FILTER_MAX });
  if (numbers.length === 0) return { total: 0, entries: [] };
  const keys = numbers.map((work) => workKey(context, work));
  const engine = await engineOf(context);
  const { numFound, documents } = await engine.works({
    ...query,
    filters,
    keys,
    sort,
    start,
    rows,
    withEditions: false,
    fields: ["key"],
    // All counted works can be paged through.
    window: keys.length + rows,
  });
  const matches = documents.flatMap(({ key }) => workNumberOfKey(key) ?? []);
  const entries = new Map((await patron.shelves.entries(matches)).map((entry) => [entry.work, entry]));
  return { total: numFound, entries: matches.flatMap((work) => entries.get(work) ?? []) };
}

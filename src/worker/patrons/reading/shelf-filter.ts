import { workNumberOfKey } from "../../../catalog/patrons/references.ts";
import type { ShelfId } from "../../../catalog/patrons/shelves.ts";
import type { ShelfEntry } from "../../../durable/patron/shelves.ts";
import type { Sort, WorkSelection } from "../../../search/engine.ts";
import { between } from "../../../search/query/query.ts";
import type { RequestContext } from "../../http/operation.ts";
import type { patronOf } from "../../http/session.ts";
import { engineOf, isPrintDisabled } from "../../search/engine.ts";
import { parseSelection } from "../../search/parameters.ts";
import { workKey } from "./parameters.ts";

/** Newest works of a shelf that are searched. */
const SHELF_FILTER_MAX = 50_000;
/** Shortest text that filters a shelf, in characters. */
const SHELF_QUERY_MIN = 3;

type ShelfFilter = NonNullable<ReturnType<typeof shelfFilter>>;

export interface FoundEntries {
  readonly total: number;
  readonly entries: readonly ShelfEntry[];
}

/** Part of a filtered shelf. */
export interface FilteredPart {
  readonly shelf: ShelfId;
  readonly filter: ShelfFilter;
  /** Sort order; absent: best matches first. */
  readonly sort?: readonly Sort[];
  readonly start: number;
  readonly rows: number;
}

/** Filter that matches everything. */
export const NO_FILTER = { q: "", ebooksOnly: false };

/** Returns the filter of a request; undefined if it has none. */
export function shelfFilter({ q, mode }: { readonly q: string; readonly mode: string }) {
  const text = Array.from(q).length < SHELF_QUERY_MIN ? "" : q;
  const ebooksOnly = mode === "ebooks";
  return text.trim() === "" && !ebooksOnly ? undefined : { q: text, ebooksOnly };
}

/**
 * Searches a shelf, best matches first. The patron's object lists the numbers of the works, the index selects among
 * them, and the object adds the log times of the selected ones. Throws the errors of a search.
 */
export async function filteredShelf(
  context: RequestContext,
  patron: ReturnType<typeof patronOf>,
  { shelf, filter, sort = [], start, rows }: FilteredPart,
): Promise<FoundEntries> {
  const selection = shelfSelection(context, filter);
  const numbers = await patron.pages.shelfWorks(shelf, { limit: SHELF_FILTER_MAX });
  if (numbers.length === 0) return { total: 0, entries: [] };
  const keys = numbers.map((work) => workKey(context, work));
  const { numFound, documents } = await (
    await engineOf(context)
  ).works({
    ...selection,
    keys,
    sort,
    start,
    rows,
    withEditions: false,
    fields: ["key"],
    // All counted works can be paged through.
    window: keys.length + rows,
  });
  const found = documents.flatMap(({ key }) => workNumberOfKey(key) ?? []);
  const entries = new Map((await patron.shelves.entries(found)).map((entry) => [entry.work, entry]));
  return { total: numFound, entries: found.flatMap((work) => entries.get(work) ?? []) };
}

function shelfSelection(context: RequestContext, { q, ebooksOnly }: ShelfFilter): WorkSelection {
  const { works } = parseSelection({ q, parameters: {} }, context);
  const least = isPrintDisabled(context) ? "printdisabled" : "borrowable";
  return { ...works, filters: ebooksOnly ? [between("ebook_access", least, null)] : [] };
}

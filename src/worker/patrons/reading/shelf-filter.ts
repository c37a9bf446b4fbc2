import { workNumberOfKey } from "../../../catalog/patrons/references.ts";
import type { ShelfId } from "../../../catalog/patrons/shelves.ts";
import type { ShelfEntry } from "../../../durable/patron/shelves.ts";
import type { Sort, WorkSelection } from "../../../search/engine.ts";
import { between } from "../../../search/query/query.ts";
import type { RequestContext } from "../../http/operation.ts";
import type { patronOf } from "../../http/session.ts";
import { engineOf, isPrintDisabled } from "../../search/engine.ts";
import { parseSelection } from "../../search/selection.ts";
import { workKey } from "./parameters.ts";

/** Works of a shelf that are searched: the newest ones. */
const SHELF_FILTER_MAX = 50_000;
/** Shortest text that filters a shelf, in characters. */
const SHELF_QUERY_MIN = 3;

/** What a shelf is filtered by. */
type ShelfFilter = NonNullable<ReturnType<typeof shelfFilter>>;

/** Entries of a shelf, and how many there are in all. */
export interface FoundEntries {
  readonly total: number;
  readonly entries: readonly ShelfEntry[];
}

/** Which part of which shelf. */
export interface FilteredPart {
  readonly shelf: ShelfId;
  readonly filter: ShelfFilter;
  /** Another order than the best first. */
  readonly sort?: readonly Sort[];
  readonly start: number;
  readonly rows: number;
}

/** The filter that lets everything pass. */
export const NO_FILTER = { q: "", ebooksOnly: false };

/** The filter that a request asks for; undefined when it asks for none. */
export function shelfFilter({ q, mode }: { readonly q: string; readonly mode: string }) {
  const text = Array.from(q).length < SHELF_QUERY_MIN ? "" : q;
  const ebooksOnly = mode === "ebooks";
  return text.trim() === "" && !ebooksOnly ? undefined : { q: text, ebooksOnly };
}

/**
 * Searches a shelf: the best first. The patron's object gives the numbers of the works, the index picks
 * among them, and the object tells of those alone when they were logged. Throws as searches do.
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
    // All that is counted can be paged through.
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

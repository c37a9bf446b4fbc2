import type { ListEntry } from "../../catalog/lists/list-entries.ts";
import type { Document } from "../../search/engine.ts";
import { ALL, type Query, anyOf, between, equals } from "../../search/query/query.ts";
import type { RequestContext } from "../context.ts";
import { engineOf } from "../search/engine-of.ts";
import { guarded } from "../search/guarded.ts";
import { plainQuery } from "../search/plain-parameters.ts";

/** Lists on a page of all lists, or of a search among them. */
export const FOUND_LISTS = 20;
/** Lists of one thing are hidden, unless they are series (search.md 4.3). */
const WORTH_SHOWING = anyOf([between("seed_count", "2", null), equals("list_type", "series")]);

/** A page of lists out of the search index. `lastUpdate` is when the list itself was changed. */
export interface FoundLists {
  readonly numFound: number;
  readonly lists: readonly ListEntry[];
}

/** Lists whose names have the words of `text`, best first; without words all lists, last changed first. */
export async function findLists(text: string, page: number, context: RequestContext): Promise<FoundLists> {
  const query: Query = plainQuery(text, "list") ?? ALL;
  const search = {
    query,
    filters: text.includes("seed_count") ? [] : [WORTH_SHOWING],
    sort: query === ALL ? [{ field: "last_modified", descending: true }] : [],
    start: (page - 1) * FOUND_LISTS,
    rows: FOUND_LISTS,
  };
  const { numFound, documents } = await guarded(async () => (await engineOf(context)).lists(search), text);
  return { numFound, lists: documents.map(entryOf) };
}

function entryOf({ key, name, seed_count: count, last_modified: modified }: Document): ListEntry {
  return {
    key: String(key),
    revision: 0,
    name: typeof name === "string" ? name : "",
    seedCount: typeof count === "number" ? count : 0,
    lastUpdate: typeof modified === "string" ? modified.replace(/Z$/, "") : null,
  };
}

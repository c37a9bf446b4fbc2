import {
  type Mark,
  type Sort,
  type WorkHits,
  type WorkSearch,
  WINDOW_WORKS_MAX,
} from "../../search/engine.ts";
import { allQueries, fieldIn } from "../../search/lucene/lucene-query.ts";
import type { PreparedSelection, Selection } from "../../search/plan/selection.ts";
import { hitOf, workHits } from "../search/read-works.ts";
import { isRanked } from "../search/relevance.ts";
import { type OrderTerm, POPULAR, afterQuery, sortText, workTerms } from "./order.ts";
import { type Found, type SolrReader, countOf, find, noOf } from "./reader.ts";
import { readPage, workFields } from "./read-works.ts";
import { type FoundWork, rankBest } from "./relevance.ts";
import { prepareSelection, selectionQuery } from "./selection.ts";

interface Page {
  readonly numFound: number;
  readonly works: readonly FoundWork[];
  readonly mark?: Mark | undefined;
}

/** `SearchEngine.works`. The candidates, their scores and the order of all others are those of the embedded engine. */
export async function searchWorks(reader: SolrReader, search: WorkSearch): Promise<WorkHits> {
  const page = await findPage(reader, search);
  const ids = page.works.map(({ id }) => id);
  const known = page.works.flatMap(({ found }) => (found === undefined ? [] : [found]));
  const { withEditions, fields, editionFields } = search;
  const documents = await readPage(reader, { ids, known, withEditions, fields, editionFields });
  const hits = workHits(
    page.numFound,
    page.works.flatMap(({ id, score }) => hitOf(documents.get(id), score)),
  );
  return { ...hits, mark: page.mark };
}

async function findPage(reader: SolrReader, search: WorkSearch): Promise<Page> {
  const { all, strong } = await prepareSelection(reader, search);
  if (all === undefined) return { numFound: 0, works: [] };
  const { start, rows: wanted, sort, query, window = WINDOW_WORKS_MAX, after } = search;
  if (after !== undefined && wanted > 0) return walkedPage(reader, all, { ...search, after });
  if (wanted === 0 || start + wanted > window) {
    return { numFound: await countOf(reader, "work", selectionQuery(all)), works: [] };
  }
  const [first] = sort;
  if (first !== undefined && !(first.field === "score" && first.descending)) {
    const terms = [...sort.flatMap(workTerms), { value: "no", descending: false }];
    return sortedPage(reader, selectionQuery(all), { ...search, terms });
  }
  if (isRanked(query)) return rankedPage(reader, { all, strong }, search);
  return sortedPage(reader, selectionQuery(all), { ...search, terms: POPULAR });
}

type SortedSearch = Pick<WorkSearch, "start" | "rows" | "fields" | "withEditions"> & {
  readonly terms: readonly OrderTerm[];
};

function workOf(found: Found): FoundWork {
  return { id: noOf(found), score: 0, found };
}

async function sortedPage(
  reader: SolrReader,
  query: string,
  { terms, start, rows, ...wish }: SortedSearch,
): Promise<Page> {
  const ask = { query, sort: sortText(terms), fields: workFields(wish), offset: start, limit: rows };
  const { numFound, docs } = await find(reader, "work", ask);
  return { numFound, works: docs.map(workOf) };
}

/** The next works of a walk. */
async function walkedPage(
  reader: SolrReader,
  selection: Selection,
  { sort, rows, after, ...wish }: WorkSearch & { readonly after: Mark },
): Promise<Page> {
  const terms = walkedTerms(sort, workTerms);
  const follows = after.length === 0 ? [] : [afterQuery(terms, after)];
  const query = allQueries([`(${selectionQuery(selection)})`, ...follows]);
  const fields = [...workFields(wish), ...markFields(terms)];
  const { numFound, docs } = await find(reader, "work", {
    query,
    sort: sortText(terms),
    fields,
    limit: rows,
  });
  const last = docs.at(-1);
  return {
    numFound: after.length === 0 ? numFound : 0,
    works: docs.map(workOf),
    mark: last && markOf(last, terms),
  };
}

/** Terms up to the one that tells documents apart, and that one: the number, whatever the texts of the keys (Q561). */
export function walkedTerms(sorts: readonly Sort[], termsOf: (sort: Sort) => OrderTerm[]): OrderTerm[] {
  const at = sorts.findIndex(({ field }) => field === "key");
  const before = at === -1 ? sorts : sorts.slice(0, at);
  return [...before.flatMap(termsOf), { value: "no", descending: sorts[at]?.descending ?? false }];
}

/** What is read of documents for a mark: functions get names. */
export function markFields(terms: readonly OrderTerm[]): string[] {
  return terms.map(({ value }, at) => (value.includes("(") ? `o${at}:${value}` : value));
}

/** What the last document of a page has of its order. */
export function markOf(document: Found, terms: readonly OrderTerm[]): Mark {
  return terms.map(({ value }, at) => {
    const own = document[value.includes("(") ? `o${at}` : value];
    return typeof own === "string" || typeof own === "number" ? own : null;
  });
}

/** A page of works ordered by the words of the query: the ranked candidates, then the others by popularity (Q70). */
async function rankedPage(
  reader: SolrReader,
  prepared: PreparedSelection & { readonly all: Selection },
  { start, rows, query, ...wish }: WorkSearch,
): Promise<Page> {
  const { numFound, best } = await rankBest(reader, prepared, { query, ...wish });
  const works = best.slice(start, start + rows);
  const missing = Math.min(start + rows, numFound) - Math.max(start, best.length);
  if (missing <= 0) return { numFound, works };
  const without =
    best.length === 0
      ? ""
      : ` -(${fieldIn(
          "no",
          best.map(({ id }) => id),
        )})`;
  const others = await sortedPage(reader, selectionQuery(prepared.all) + without, {
    ...wish,
    terms: POPULAR,
    start: Math.max(0, start - best.length),
    rows: missing,
  });
  return { numFound, works: [...works, ...others.works] };
}

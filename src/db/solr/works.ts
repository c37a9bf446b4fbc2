import {
  type Mark,
  type Sort,
  type WorkHits,
  type WorkSearch,
  WINDOW_WORKS_MAX,
} from "../../search/engine.ts";
import { allQueries, fieldIn } from "../../search/lucene/query.ts";
import { type PreparedSelection, type Selection, narrowed } from "../../search/plan/selection.ts";
import type { Query } from "../../search/query/query.ts";
import { rankedTerms, scorer, titleWords } from "../../search/rank.ts";
import { hitOf, workHits } from "../search/read-works.ts";
import { CANDIDATES_MAX, isRanked, titleMatches } from "../search/relevance.ts";
import { type OrderTerm, afterQuery, sortText, workTerms } from "./order.ts";
import { type Found, type SolrReader, countOf, find, noOf, numberIn, textIn } from "./reader.ts";
import { readPage } from "./read-works.ts";
import { prepareSelection, selectionQuery } from "./selection.ts";

interface Page {
  readonly numFound: number;
  readonly works: readonly { readonly id: number; readonly score: number }[];
  readonly mark?: Mark | undefined;
}

/** `SearchEngine.works`. The candidates, their scores and the order of all others are those of the embedded engine. */
export async function searchWorks(reader: SolrReader, search: WorkSearch): Promise<WorkHits> {
  const page = await findPage(reader, search);
  const ids = page.works.map(({ id }) => id);
  const documents = await readPage(reader, ids, search);
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
  if (after !== undefined && wanted > 0) return walkedPage(reader, all, { sort, rows: wanted, after });
  if (wanted === 0 || start + wanted > window) {
    return { numFound: await countOf(reader, "work", selectionQuery(all)), works: [] };
  }
  const [first] = sort;
  if (first !== undefined && !(first.field === "score" && first.descending)) {
    const terms = [...sort.flatMap(workTerms), { value: "no", descending: false }];
    return sortedPage(reader, selectionQuery(all), { terms, start, rows: wanted });
  }
  if (isRanked(query)) return rankedPage(reader, { all, strong }, search);
  return sortedPage(reader, selectionQuery(all), { terms: POPULAR, start, rows: wanted });
}

/** The most popular first; equally popular ones by number. */
const POPULAR: readonly OrderTerm[] = [
  { value: "n_boost", descending: true },
  { value: "no", descending: false },
];

async function sortedPage(
  reader: SolrReader,
  query: string,
  {
    terms,
    start,
    rows,
  }: { readonly terms: readonly OrderTerm[]; readonly start: number; readonly rows: number },
): Promise<Page> {
  const ask = { query, sort: sortText(terms), fields: ["no"], offset: start, limit: rows };
  const { numFound, docs } = await find(reader, "work", ask);
  return { numFound, works: docs.map((one) => ({ id: noOf(one), score: 0 })) };
}

/** The next works of a walk. */
async function walkedPage(
  reader: SolrReader,
  selection: Selection,
  { sort, rows, after }: Pick<WorkSearch, "sort" | "rows"> & { readonly after: Mark },
): Promise<Page> {
  const terms = walkedTerms(sort, workTerms);
  const follows = after.length === 0 ? [] : [afterQuery(terms, after)];
  const query = allQueries([`(${selectionQuery(selection)})`, ...follows]);
  const fields = ["no", ...markFields(terms)];
  const { numFound, docs } = await find(reader, "work", {
    query,
    sort: sortText(terms),
    fields,
    limit: rows,
  });
  const last = docs.at(-1);
  return {
    numFound: after.length === 0 ? numFound : 0,
    works: docs.map((one) => ({ id: noOf(one), score: 0 })),
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
  { start, rows, query }: WorkSearch,
): Promise<Page> {
  const { numFound, best } = await rankBest(reader, prepared, query);
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
    terms: POPULAR,
    start: Math.max(0, start - best.length),
    rows: missing,
  });
  return { numFound, works: [...works, ...others.works] };
}

/** Which works are candidates relevance.ts says. */
async function rankBest(
  reader: SolrReader,
  { all, strong }: PreparedSelection & { readonly all: Selection },
  query: Query,
) {
  const words = titleWords(query);
  const [popular, known] = await Promise.all([
    candidates(reader, all, CANDIDATES_MAX),
    strong === undefined ? undefined : candidates(reader, strong, CANDIDATES_MAX),
  ]);
  const { numFound } = popular;
  const isMany = numFound > CANDIDATES_MAX;
  const isCutOff = isMany && (known === undefined || known.docs.length >= CANDIDATES_MAX);
  const titled = isCutOff
    ? await Promise.all(
        titleMatches(words).map(({ match, limit }) => candidates(reader, narrowed(all, match), limit)),
      )
    : [];
  const picked = [
    ...(isMany && known !== undefined ? [known] : []),
    ...(!isMany || known === undefined || known.docs.length < CANDIDATES_MAX ? [popular] : []),
    ...titled,
  ];
  const byId = new Map(picked.flatMap(({ docs }) => docs.map((one) => [noOf(one), one] as const)));
  const score = scorer({ terms: rankedTerms(query), words });
  const best = [...byId].map(([id, one]) => {
    // The field holds what `workRows` made: a list of texts.
    const texts = JSON.parse(textIn(one, "ranking")) as string[];
    return { id, score: score({ boost: numberIn(one, "n_boost") ?? 0, texts }) };
  });
  return { numFound, best: best.sort((a, b) => b.score - a.score || a.id - b.id) };
}

function candidates(reader: SolrReader, selection: Selection, limit: number) {
  const fields = ["no", "n_boost", "ranking"];
  return find(reader, "work", { query: selectionQuery(selection), sort: sortText(POPULAR), fields, limit });
}

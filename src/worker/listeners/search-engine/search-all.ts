import type { Document, Hits, Mark, SearchEngine, Sort } from "../../../search/engine.ts";
import type { Query } from "../../../search/query/query.ts";
import {
  type Cursor,
  type Kind,
  KINDS,
  checkFields,
  kindsOf,
  queryFor,
  toWholeQuery,
} from "../../../search/solr/queries.ts";

export interface RawSearch {
  readonly query: Query;
  readonly filters: readonly Query[];
  readonly sort: readonly Sort[];
  readonly start: number;
  readonly rows: number;
  readonly after?: Mark | undefined;
  /** Fields of works to read, names and globs; absent: all. */
  readonly fields?: readonly string[];
}

export interface RawHits {
  readonly numFound: number;
  readonly numFoundExact: boolean;
  readonly documents: readonly Document[];
  readonly scores: readonly (number | undefined)[];
}

/** Returns the search for one kind of documents; undefined if none of them can match. */
export function searchFor(kind: Kind, search: RawSearch): RawSearch | undefined {
  const query = queryFor(kind, search.query);
  const filters = search.filters.map((filter) => queryFor(kind, filter));
  return toWholeQuery({ query, filters }).op === "none" || [query, ...filters].some(({ op }) => op === "none")
    ? undefined
    : { ...search, query, filters };
}

function searchesOf(search: RawSearch): [kind: Kind, search: RawSearch][] {
  const whole = toWholeQuery(search);
  checkFields(whole);
  return kindsOf(whole).flatMap((kind): [Kind, RawSearch][] => {
    const kindSearch = searchFor(kind, search);
    return kindSearch === undefined ? [] : [[kind, kindSearch]];
  });
}

/**
 * Searches all kinds of documents that can match, one after the other: works come first. Throws SolrRequestError for
 * fields that no kind has.
 */
export async function searchAll(engine: SearchEngine, search: RawSearch): Promise<RawHits> {
  let numFound = 0;
  let numFoundExact = true;
  const documents: Document[] = [];
  const scores: (number | undefined)[] = [];
  for (const [kind, kindSearch] of searchesOf(search)) {
    const start = Math.max(0, search.start - numFound);
    const hits = await searchKind(engine, kind, {
      ...kindSearch,
      start,
      rows: search.rows - documents.length,
    });
    numFound += hits.numFound;
    numFoundExact &&= hits.numFoundExact;
    documents.push(...hits.documents);
    scores.push(...hits.scores);
  }
  return { numFound, numFoundExact, documents, scores };
}

/** Continues a walk through all kinds, which begins without a cursor. Returns no cursor at the end. */
export async function walkAll(
  engine: SearchEngine,
  search: RawSearch,
  cursor: Cursor | undefined,
): Promise<RawHits & { cursor: Cursor | undefined }> {
  const searches = searchesOf(search);
  const first = cursor === undefined ? 0 : KINDS.indexOf(cursor.kind);
  let numFound = cursor?.numFound ?? 0;
  let last: Omit<Cursor, "numFound"> | undefined;
  const documents: Document[] = [];
  for (const [kind, kindSearch] of searches) {
    const missing = search.rows - documents.length;
    if (KINDS.indexOf(kind) < first || (cursor !== undefined && missing === 0)) continue;
    const after = kind === cursor?.kind ? cursor.mark : [];
    const hits = await searchKind(engine, kind, { ...kindSearch, rows: missing, after });
    if (cursor === undefined) numFound += hits.numFound;
    if (hits.mark !== undefined) last = { kind, mark: hits.mark };
    documents.push(...hits.documents);
  }
  return { numFound, numFoundExact: true, documents, scores: [], cursor: last && { numFound, ...last } };
}

type Scored = Hits & Pick<RawHits, "scores">;

async function searchKind(engine: SearchEngine, kind: Kind, search: RawSearch): Promise<Scored> {
  if (kind === "work") return engine.works({ ...search, editionClauses: [], withEditions: false });
  const hits = await plainHits(engine, kind, search);
  return { ...hits, scores: hits.documents.map(() => undefined) };
}

function plainHits(engine: SearchEngine, kind: Exclude<Kind, "work">, search: RawSearch): Promise<Hits> {
  switch (kind) {
    case "author":
      return engine.authors(search);
    case "subject":
      return engine.subjects(search);
    case "list":
      return engine.lists(search);
    case "edition":
      return engine.editions(search);
  }
}

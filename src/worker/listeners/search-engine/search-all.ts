import type { Document, Hits, Scheme, SearchEngine, Sort } from "../../../search/engine.ts";
import type { Query } from "../../../search/query/query.ts";
import { SCHEMES, checkFields, queryFor, wholeQuery } from "../../../search/solr/queries.ts";

/** What is searched, in whatever kind of documents. */
export interface RawSearch {
  readonly query: Query;
  readonly filters: readonly Query[];
  readonly sort: readonly Sort[];
  readonly start: number;
  readonly rows: number;
  /** Fields of works that are needed, names and globs; without them all are read. */
  readonly fields?: readonly string[];
}

/** Documents of any kind. */
export interface RawHits {
  readonly numFound: number;
  readonly numFoundExact: boolean;
  readonly documents: readonly Document[];
  /** Of works only. */
  readonly scores: readonly (number | undefined)[];
}

/** The search as it is for one kind of documents; undefined when none of them can match. */
export function searchFor(scheme: Scheme, search: RawSearch): RawSearch | undefined {
  const query = queryFor(scheme, search.query);
  const filters = search.filters.map((filter) => queryFor(scheme, filter));
  return wholeQuery({ query, filters }).op === "none" || [query, ...filters].some(({ op }) => op === "none")
    ? undefined
    : { ...search, query, filters };
}

/**
 * Searches all kinds of documents that can match, one after the other: works come first. Throws SolrRequestError
 * for fields that nothing has.
 */
export async function searchAll(engine: SearchEngine, search: RawSearch): Promise<RawHits> {
  checkFields(wholeQuery(search));
  let numFound = 0;
  let numFoundExact = true;
  const documents: Document[] = [];
  const scores: (number | undefined)[] = [];
  for (const scheme of SCHEMES) {
    const own = searchFor(scheme, search);
    if (own === undefined) continue;
    const start = Math.max(0, search.start - numFound);
    const hits = await searchScheme(engine, scheme, { ...own, start, rows: search.rows - documents.length });
    numFound += hits.numFound;
    numFoundExact &&= hits.numFoundExact;
    documents.push(...hits.documents);
    scores.push(...hits.scores);
  }
  return { numFound, numFoundExact, documents, scores };
}

async function searchScheme(engine: SearchEngine, scheme: Scheme, search: RawSearch): Promise<RawHits> {
  if (scheme === "work") return engine.works({ ...search, editionClauses: [], withEditions: false });
  const hits = await plainHits(engine, scheme, search);
  return { ...hits, scores: hits.documents.map(() => undefined) };
}

function plainHits(engine: SearchEngine, scheme: Exclude<Scheme, "work">, search: RawSearch): Promise<Hits> {
  switch (scheme) {
    case "author":
      return engine.authors(search);
    case "subject":
      return engine.subjects(search);
    case "list":
      return engine.lists(search);
  }
}

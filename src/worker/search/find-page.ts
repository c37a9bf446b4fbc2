import { type OpenableScans, readOpenable } from "../lending/service/openable.ts";
import type { Facets, SearchEngine, SearchRequest } from "../../search/engine.ts";
import { FacetsMissingError } from "../../search/facets.ts";
import { type NamedAuthor, namedAuthorsOf } from "../../search/present/authors.ts";
import { type FoundWork, toFoundWorks } from "../../search/present/works.ts";
import { minuteOf } from "../../catalog/datetime.ts";
import { textOf } from "../../catalog/record.ts";
import { readOrigins } from "../../db/records/titles.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { type FacetRow, countAllWorks, makeFacetRequests, toFacetRow } from "./facets.ts";
import type { Words } from "../ui/words.ts";
import { askIndex } from "./guarded.ts";
import { readLanguageNames } from "./known-languages.ts";
import type { ParsedSearch } from "./search-request.ts";
import { findWorks } from "./find-works.ts";

const SHOWN_FACET_VALUES = 12;

/** Longest value of a facet, in UTF-16 units: longer ones make too long addresses. */
export const FACET_VALUE_MAX = 500;

interface FacetKind {
  field: string;
  parameter: string;
  title: Words;
  /** True for a condition on editions: one edition has to meet all of them. */
  isOfEditions: boolean;
  /** True if one of several values is enough. */
  isAnyOf: boolean;
}

function kind(field: string, title: Words, more: Partial<FacetKind> = {}): FacetKind {
  return { field, parameter: field, title, isOfEditions: false, isAnyOf: false, ...more };
}

const FACET_KINDS: readonly FacetKind[] = [
  kind("author_facet", "nav.authors", { parameter: "author_key" }),
  kind("language", "nav.languages", { isOfEditions: true, isAnyOf: true }),
  kind("first_publish_year", "search.first_published"),
  kind("subject_facet", "nav.subjects"),
  kind("person_facet", "search.people"),
  kind("place_facet", "search.places"),
  kind("time_facet", "search.times"),
  kind("publisher_facet", "nav.publishers", { isOfEditions: true }),
];

export interface FilterGroup {
  readonly kind: FacetKind;
  readonly rows: readonly FacetRow[];
  /** False if a value would find fewer works than its count says, so that counts are not shown. */
  readonly isCounted: boolean;
}

/** Returns the facets of a page (Q443), without chosen values, and without languages if one is chosen. */
export function facetGroupsOf(
  { fields }: Pick<Facets, "fields">,
  languages: ReadonlyMap<string, string>,
  { chosen, hasEditionClauses }: { chosen(parameter: string): readonly string[]; hasEditionClauses: boolean },
): FilterGroup[] {
  return FACET_KINDS.flatMap((facet) => {
    const values = chosen(facet.parameter);
    if (facet.isAnyOf && values.length > 0) return [];
    const rows = (fields[facet.field] ?? [])
      .map((value) => toFacetRow(facet.field, value, languages))
      .filter(({ value }) => value.length <= FACET_VALUE_MAX && !values.includes(value))
      .slice(0, SHOWN_FACET_VALUES);
    const isCounted = !(facet.isOfEditions && hasEditionClauses);
    return rows.length === 0 ? [] : [{ kind: facet, rows, isCounted }];
  });
}

export interface ResultsPage {
  readonly numFound: number;
  readonly works: readonly FoundWork[];
  /** First publications from the records, by key: the index has only the dates and languages of editions. */
  readonly origins: Awaited<ReturnType<typeof readOrigins>>;
  readonly openable: OpenableScans;
  /** Search text with corrected words; undefined if nothing was corrected. */
  readonly corrected: string | undefined;
  /** Names of parameters that are in this text. */
  readonly parts: readonly string[];
  /** Search text that may have been meant; undefined if there is none. */
  readonly suggested: string | undefined;
  /** Search text whose works are among the results; undefined if there is none. */
  readonly included: string | undefined;
  readonly authors: readonly NamedAuthor[];
  readonly groups: readonly FilterGroup[];
  /** Time of the counts, naive UTC. */
  readonly counted: string;
  readonly languages: ReadonlyMap<string, string>;
  readonly authorNames: ReadonlyMap<string, string>;
  readonly readable: ReadonlyMap<string, number>;
}

/**
 * Searches works, and counts their facets in parallel, or once more if the words were corrected. `options` are those of
 * `findWorks`. Throws 422 and 503.
 */
export async function findResultsPage(
  request: ParsedSearch,
  context: RequestContext,
  options?: Parameters<typeof findWorks>[2],
): Promise<ResultsPage> {
  const { q, search } = request;
  const findDatedWorks = async (engine: SearchEngine) => {
    const results = await findWorks(engine, request, options);
    const keys = results.hits.documents.flatMap(({ key }) => textOf(key) ?? []);
    const isCorrected = results.corrected !== undefined || results.included !== undefined;
    const hasLoans = results.hits.documents.some((document) => document["ebook_access"] === "borrowable");
    const [origins, openable, correctedFacets] = await Promise.all([
      readOrigins(catalogReader(context), keys),
      hasLoans ? readOpenable(context) : undefined,
      isCorrected ? countFacets(results.search, engine, context) : undefined,
    ]);
    return { ...results, origins, openable, correctedFacets };
  };
  const [
    { hits, editionChoice, corrected, parts = [], suggested, included, origins, openable, correctedFacets },
    typedFacets,
    languages,
  ] = await askIndex(context, q, (engine) =>
    Promise.all([findDatedWorks(engine), countFacets(search, engine, context), readLanguageNames(context)]),
  );
  const facets = correctedFacets ?? typedFacets;
  const { searchParams } = context.url;
  return {
    numFound: hits.numFound,
    works: toFoundWorks(hits, editionChoice),
    origins,
    openable,
    corrected,
    parts,
    suggested,
    included,
    authors: namedAuthorsOf(q, hits.documents),
    groups: facetGroupsOf(facets, languages, {
      chosen: (parameter) => searchParams.getAll(parameter),
      hasEditionClauses: search.editionClauses.length > 0,
    }),
    counted: minuteOf(facets.asOf ?? context.now),
    languages,
    authorNames: new Map(
      (facets.fields["author_facet"] ?? []).map((row) => {
        const { value: olid, label } = toFacetRow("author_facet", row, languages);
        return [olid, label];
      }),
    ),
    readable: new Map(
      Object.entries(READABLE).flatMap(([parameter, field]): [string, number][] => {
        const count = facets.fields[field]?.find(({ value }) => value === "true")?.count;
        return count === undefined ? [] : [[parameter, count]];
      }),
    ),
  };
}

const READABLE = { has_fulltext: "has_fulltext", public_scan: "public_scan_b" } as const;
const FIELDS = [...FACET_KINDS.map(({ field }) => field), ...Object.values(READABLE)];

async function countFacets(
  { query, filters, editionClauses, keys }: SearchRequest,
  engine: SearchEngine,
  context: RequestContext,
): Promise<Facets> {
  const isUnrestricted =
    query.op === "all" && filters.length === 0 && editionClauses.length === 0 && keys === undefined;
  if (isUnrestricted) return countAllWorks(FIELDS, context);
  const selection = { query, filters, editionClauses, ...(keys === undefined ? {} : { keys }) };
  try {
    return await engine.facets({ ...selection, facets: makeFacetRequests(FIELDS) });
  } catch (error) {
    // The page shows its works without facets.
    if (error instanceof FacetsMissingError) return { numFound: 0, fields: {}, exact: false };
    throw error;
  }
}

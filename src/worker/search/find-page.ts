import type { Facets, SearchEngine, WorkSearch } from "../../search/engine.ts";
import { FacetsMissingError } from "../../search/facets.ts";
import { type NamedAuthor, namedAuthors } from "../../search/present/authors.ts";
import { type FoundWork, foundWorks } from "../../search/present/works.ts";
import { textOf } from "../../catalog/record.ts";
import { readFirstDates } from "../../db/records/titles.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";
import { type FacetRow, facetRequests, facetRow, keptLanguageNames, wholeFacets } from "./facets.ts";
import type { Words } from "../ui/words.ts";
import { askIndex } from "./guarded.ts";
import type { SearchRequest } from "./search-request.ts";
import { correctedText, findWorks } from "./search.ts";

/** Values of a field by which a page offers to narrow a search. */
const SHOWN_FACET_VALUES = 12;

/** Longest value that is offered, in UTF-16 units: it stands in an address. */
export const FACET_VALUE_MAX = 500;

/** A field whose values narrow a search. */
interface FacetKind {
  readonly field: string;
  /** The parameter that takes a value of it. */
  readonly parameter: string;
  readonly title: Words;
  /** A condition on single editions: of several such conditions one edition has to meet all. */
  readonly ofEditions: boolean;
  /** Of several values one is enough. */
  readonly oneIsEnough: boolean;
}

function kind(field: string, title: Words, more: Partial<FacetKind> = {}): FacetKind {
  return { field, parameter: field, title, ofEditions: false, oneIsEnough: false, ...more };
}

/** The fields that are offered, in their order on the page. */
const FACET_KINDS: readonly FacetKind[] = [
  kind("author_facet", "nav.authors", { parameter: "author_key" }),
  kind("language", "nav.languages", { ofEditions: true, oneIsEnough: true }),
  kind("first_publish_year", "search.first_published"),
  kind("subject_facet", "nav.subjects"),
  kind("person_facet", "search.people"),
  kind("place_facet", "search.places"),
  kind("time_facet", "search.times"),
  kind("publisher_facet", "nav.publishers", { ofEditions: true }),
];

/** Values of one field with how many works have them. */
export interface FacetGroup {
  readonly kind: FacetKind;
  readonly rows: readonly FacetRow[];
  /** False: a value chosen would find fewer works than have it, so the numbers are not to be shown. */
  readonly isCounted: boolean;
}

/** How a search is narrowed already. */
interface Narrowed {
  /** Values that are chosen. */
  chosen(parameter: string): readonly string[];
  /** There are conditions on single editions. */
  readonly hasEditionClauses: boolean;
}

/** The values that a page offers (Q443): not those that are chosen, and no language beside a chosen one. */
export function facetGroups(
  { fields }: Pick<Facets, "fields">,
  languages: ReadonlyMap<string, string>,
  { chosen, hasEditionClauses }: Narrowed,
): FacetGroup[] {
  return FACET_KINDS.flatMap((one) => {
    const taken = chosen(one.parameter);
    if (one.oneIsEnough && taken.length > 0) return [];
    const rows = (fields[one.field] ?? [])
      .map((value) => facetRow(one.field, value, languages))
      .filter(({ value }) => value.length <= FACET_VALUE_MAX && !taken.includes(value))
      .slice(0, SHOWN_FACET_VALUES);
    return rows.length === 0 ? [] : [{ kind: one, rows, isCounted: !(one.ofEditions && hasEditionClauses) }];
  });
}

/** A page of works that were found, with what else the page says. */
export interface FoundPage {
  readonly numFound: number;
  readonly works: readonly FoundWork[];
  /** When they were first published, by their keys, where their records say it: the index knows of editions alone. */
  readonly firstDates: ReadonlyMap<string, string>;
  /** The text that was searched for instead, because words of the query occur nowhere. */
  readonly corrected: string | undefined;
  readonly authors: readonly NamedAuthor[];
  readonly groups: readonly FacetGroup[];
  /** Names of languages by code. */
  readonly languages: ReadonlyMap<string, string>;
  /** Names of the authors of the works found, by number. */
  readonly authorNames: ReadonlyMap<string, string>;
  /** How many of them can be read, by the parameter that asks for those. */
  readonly readable: ReadonlyMap<string, number>;
}

/** Searches works, and counts the values by which they can be narrowed, side by side. */
export async function findPage(
  request: SearchRequest,
  chosen: (parameter: string) => readonly string[],
  context: RequestContext,
): Promise<FoundPage> {
  const { search, freeWords, text, wish } = request;
  const dated = async (engine: SearchEngine) => {
    const found = await findWorks(engine, search, freeWords);
    const keys = found.hits.documents.flatMap(({ key }) => textOf(key) ?? []);
    return { ...found, firstDates: await readFirstDates(catalogReader(context), keys) };
  };
  const [{ hits, corrections, firstDates }, facets, languages] = await askIndex(context, text, (engine) =>
    Promise.all([dated(engine), countedFacets(search, engine, context), keptLanguageNames(context)]),
  );
  const works = foundWorks(hits, wish);
  const isCorrected = corrections.size > 0;
  const hasEditionClauses = search.editionClauses.length > 0;
  return {
    numFound: hits.numFound,
    works,
    firstDates,
    corrected: isCorrected ? correctedText(text, corrections) : undefined,
    authors: namedAuthors(text, hits.documents),
    // The values of the words as they are spelt: of a corrected search there are none.
    groups: facetGroups(facets, languages, { chosen, hasEditionClauses }),
    languages,
    authorNames: authorNamesIn(facets),
    readable: readableIn(facets),
  };
}

/** Values of the field are number and name. */
function authorNamesIn({ fields }: Facets): Map<string, string> {
  return new Map(
    (fields["author_facet"] ?? []).map(({ value }) => {
      const [olid = ""] = value.split(" ", 1);
      return [olid, value.slice(olid.length + 1)];
    }),
  );
}

/** Fields that say whether a work can be read, by the parameter that asks for it. */
const READABLE = { has_fulltext: "has_fulltext", public_scan: "public_scan_b" } as const;

function readableIn({ fields }: Facets): Map<string, number> {
  return new Map(
    Object.entries(READABLE).flatMap(([parameter, field]): [string, number][] => {
      const count = fields[field]?.find(({ value }) => value === "true")?.count;
      return count === undefined ? [] : [[parameter, count]];
    }),
  );
}

const FIELDS = [...FACET_KINDS.map(({ field }) => field), ...Object.values(READABLE)];

/** Counts over the works of a search; over all works they are kept for an hour, as for programs. */
async function countedFacets(
  search: WorkSearch,
  engine: SearchEngine,
  context: RequestContext,
): Promise<Facets> {
  const { query, filters, editionClauses, keys } = search;
  const isWhole =
    query.op === "all" && filters.length === 0 && editionClauses.length === 0 && keys === undefined;
  if (isWhole) return wholeFacets(FIELDS, context);
  const selection = { query, filters, editionClauses, ...(keys === undefined ? {} : { keys }) };
  try {
    return await engine.facets({ ...selection, facets: facetRequests(FIELDS) });
  } catch (error) {
    // The works are found all the same.
    if (error instanceof FacetsMissingError) return { numFound: 0, fields: {}, exact: false };
    throw error;
  }
}

import * as z from "zod";
import type { FacetRequest, FacetValue, Facets } from "../../search/engine.ts";
import { mostFrequent } from "../../search/facets.ts";
import { ALL } from "../../search/query/query.ts";
import { VARY_LANGUAGE, languageOf } from "../http/accept.ts";
import { derived } from "../http/derived-answers.ts";
import { type RequestContext, catalogReader, operation } from "../http/operation.ts";
import { json } from "../http/reply.ts";
import { searchCacheControl } from "./answers.ts";
import { askIndex } from "./guarded.ts";
import { knownLanguages } from "./known-languages.ts";
import { selectionParameters } from "./parameters.ts";
import { parseSelection } from "./selection.ts";

/** Values of a field in an answer. */
const FACET_ROWS = 100;
/** How long counts over all works are kept, in seconds. */
const WHOLE_FACETS_SECONDS = 3600;

const FIELDS = [
  "author_facet",
  "first_publish_year",
  "has_fulltext",
  "language",
  "person_facet",
  "place_facet",
  "public_scan_b",
  "publisher_facet",
  "subject_facet",
  "time_facet",
] as const;

/** A counted value as readers get it. */
const row = z.object({ value: z.string(), label: z.string(), count: z.int() });
export type FacetRow = z.infer<typeof row>;

/** `GET /search/facets.json`: how many works have which values. */
export const searchFacets = operation({
  id: "searchFacets",
  summary: "Counts of field values over the works of a search",
  tag: "search",
  query: {
    ...selectionParameters,
    field: z.array(z.enum(FIELDS)).describe("Fields to count; repeat it for several"),
  },
  responses: {
    200: {
      description:
        "Values by field, most frequent first; X-Facets: approximate when some works or names were not looked at",
      schema: z.record(z.string(), z.array(row)),
    },
  },
  async handle({ query: { field, ...asked } }, context) {
    const { works, isEmpty } = parseSelection({ q: asked.q, parameters: asked }, context);
    const fields = [...new Set(field)];
    const search = { ...works, facets: facetRequests(fields) };
    const facets = isEmpty
      ? await wholeFacets(fields, context)
      : await askIndex(context, asked.q, (engine) => engine.facets(search));
    const rows: [string, FacetRow[]][] = [];
    for (const name of fields) rows.push([name, await facetRows(name, facets.fields[name] ?? [], context)]);
    return json(Object.fromEntries(rows), {
      cacheControl: searchCacheControl(context, { sort: [] }),
      headers: { Vary: VARY_LANGUAGE, ...facetHeaders(facets) },
    });
  },
});

/** Q77: how far counts can be relied on. */
export function facetHeaders({ exact, asOf }: Facets): Record<string, string> {
  return {
    ...(exact ? {} : { "X-Facets": "approximate" }),
    ...(asOf === undefined ? {} : { "X-Facets-As-Of": new Date(asOf).toISOString() }),
  };
}

/** The values of a field with what they are called. */
export async function facetRows(
  field: string,
  values: readonly FacetValue[],
  context: RequestContext,
): Promise<FacetRow[]> {
  const isNamed = field === "language" && values.length > 0;
  const languages = isNamed ? await keptLanguageNames(context) : new Map<string, string>();
  return values.map((value) => facetRow(field, value, languages));
}

/** A counted value with what it is called; of authors it is number and name. */
export function facetRow(
  field: string,
  { value, count }: FacetValue,
  languages: ReadonlyMap<string, string>,
): FacetRow {
  if (field === "language") return { value, label: languages.get(value) ?? value, count };
  if (field === "has_fulltext") return { value, label: value === "true" ? "yes" : "no", count };
  const blank = field === "author_facet" ? value.indexOf(" ") : -1;
  return blank === -1
    ? { value, label: value, count }
    : { value: value.slice(0, blank), label: value.slice(blank + 1), count };
}

/** What is counted of some fields. */
export function facetRequests(fields: readonly string[]): FacetRequest[] {
  return fields.map((field) => mostFrequent(field, FACET_ROWS));
}

/** Counts over all works, up to an hour old: they cost a walk through the terms of the index. */
export async function wholeFacets(fields: readonly string[], context: RequestContext): Promise<Facets> {
  const search = { query: ALL, filters: [], editionClauses: [], facets: facetRequests(fields) };
  return derived(context, {
    name: `facets:v1:${fields.toSorted().join(",")}`,
    seconds: WHOLE_FACETS_SECONDS,
    make: () => askIndex(context, "", (engine) => engine.facets(search)),
  });
}

/** How long names of languages are kept, in seconds: they stand in some 500 records. In an isolate for as long again. */
const LANGUAGE_NAMES_SECONDS = 1800;
/** In so many languages of readers. */
const KEPT_LANGUAGES_MAX = 20;

type Names = ReadonlyMap<string, string>;
/** By the isolate's cache, of which there is one an isolate (and one a service under test), and by language. */
const keptNames = new WeakMap<object, Map<string, { readonly names: Names; readonly expires: number }>>();

/** Names of all languages by code, in the reader's language, up to an hour old. */
export async function keptLanguageNames(context: RequestContext): Promise<Names> {
  const { cache, now } = context;
  const language = languageOf(context);
  const byLanguage = keptNames.get(cache) ?? new Map<string, { names: Names; expires: number }>();
  keptNames.set(cache, byLanguage);
  const kept = byLanguage.get(language);
  if (kept !== undefined && kept.expires > now) return kept.names;
  const entries = await derived(context, {
    name: `language-names:v1:${language}`,
    seconds: LANGUAGE_NAMES_SECONDS,
    make: async () => {
      const known = await knownLanguages(catalogReader(context), language);
      return known.map(({ names: { code, name } }): [string, string] => [code, name]);
    },
  });
  const names = new Map(entries);
  if (byLanguage.size >= KEPT_LANGUAGES_MAX) byLanguage.clear();
  byLanguage.set(language, { names, expires: now + LANGUAGE_NAMES_SECONDS * 1000 });
  return names;
}

import * as z from "zod";
import type { FacetRequest, FacetSearch, FacetValue, Facets } from "../../search/engine.ts";
import { requestMostFrequent } from "../../search/facets.ts";
import { ALL } from "../../search/query/query.ts";
import type { Typed } from "../../search/query/typed-search.ts";
import { VARY_LANGUAGE } from "../http/accept.ts";
import { readDerived } from "../http/derived-answers.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { json } from "../http/reply.ts";
import { askInReadings } from "./find-works.ts";
import { askIndex, searchCacheControl } from "./guarded.ts";
import { readLanguageNames } from "./known-languages.ts";
import { parseSelection, refuseShortText, selectionParameters } from "./parameters.ts";
import { parseReading } from "./search-request.ts";
import { CORRECTION_HEADERS, correctionHeadersOf } from "./search.ts";

const FACET_ROWS = 100;
const ALL_WORKS_SECONDS = 3600;

export const FACET_FIELDS = [
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

const row = z.object({ value: z.string(), label: z.string(), count: z.int() });
export type FacetRow = z.infer<typeof row>;

export const searchFacets = operation({
  id: "searchFacets",
  summary: "Count field values over the works of a search",
  tag: "search",
  query: {
    ...selectionParameters,
    field: z.array(z.enum(FACET_FIELDS)).describe("Field to count; may be repeated"),
  },
  responses: {
    200: {
      description: "Values by field, most frequent first",
      schema: z.record(z.string(), z.array(row)),
      headers: {
        ...CORRECTION_HEADERS,
        "X-Facets": "`approximate` if some works or names were not counted",
      },
    },
  },
  async handle({ query: { field, ...parameters } }, context) {
    const { q } = parameters;
    const { works, freeWords, isEmpty } = parseSelection({ q, parameters }, context);
    await refuseShortText(q, context);
    const fields = [...new Set(field)];
    const search = { ...works, facets: makeFacetRequests(fields) };
    const prefix = context.settings.RECORD_PREFIX;
    const parse = (typed: Typed) => parseReading(typed, context);
    const request = { q, typed: { q, parameters }, query: works.query, freeWords, prefix, parse };
    const { result: facets, corrected } = isEmpty
      ? { result: await countAllWorks(fields, context), corrected: undefined }
      : await askIndex(context, q, (engine) =>
          askInReadings(engine, request, ({ query }) => engine.facets({ ...search, query })),
        );
    const rows: [string, FacetRow[]][] = [];
    for (const name of fields)
      rows.push([name, await readFacetRows(name, facets.fields[name] ?? [], { context, names: "name" })]);
    return json(Object.fromEntries(rows), {
      cacheControl: searchCacheControl(context),
      headers: {
        Vary: VARY_LANGUAGE,
        ...facetHeadersOf(facets),
        ...correctionHeadersOf(corrected === undefined ? {} : { corrected }),
      },
    });
  },
});

/** Q77: returns the headers that state the accuracy of counts. */
export function facetHeadersOf({ exact, asOf }: Facets): Record<string, string> {
  return {
    ...(exact ? {} : { "X-Facets": "approximate" }),
    ...(asOf === undefined ? {} : { "X-Facets-As-Of": new Date(asOf).toISOString() }),
  };
}

export async function readFacetRows(
  field: string,
  values: readonly FacetValue[],
  { context, names }: { context: RequestContext; names: "name" | "shown" },
): Promise<FacetRow[]> {
  const isNamed = field === "language" && values.length > 0;
  const languages = isNamed ? await readLanguageNames(context, names) : new Map<string, string>();
  return values.map((value) => toFacetRow(field, value, languages));
}

/** Labels a counted value. Values of `author_facet` are OLID and name. */
export function toFacetRow(
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

export function makeFacetRequests(fields: readonly string[]): FacetRequest[] {
  return fields.map((field) => requestMostFrequent(field, FACET_ROWS));
}

/** Counts values over all works, up to an hour old: counting takes a walk through the terms of the index. */
export async function countAllWorks(fields: readonly string[], context: RequestContext): Promise<Facets> {
  return readDerived(context, {
    name: `facets:v2:${fields.toSorted().join(",")}`,
    seconds: ALL_WORKS_SECONDS,
    make: async () => {
      const counts = await countWorks({ facets: makeFacetRequests(fields) }, "", context);
      return { ...counts, asOf: counts.asOf ?? context.now };
    },
  });
}

/** Counts values over the works of a selection, or over all works. Throws 422 with `q`, and 503. */
export function countWorks(
  search: Partial<FacetSearch> & Pick<FacetSearch, "facets">,
  q: string,
  context: RequestContext,
): Promise<Facets> {
  const all = { query: ALL, filters: [], editionClauses: [] };
  return askIndex(context, q, (engine) => engine.facets({ ...all, ...search }));
}

import * as z from "zod";
import type { FacetRequest, FacetSearch, FacetValue, Facets } from "../../search/engine.ts";
import { FACET_SOURCES, FACET_VALUES_MAX, fieldValues, valuesNeeded } from "../../search/facets.ts";
import { filterToken } from "../../search/indexing/filter-token.ts";
import { fieldIs, idsQuery } from "../../search/lucene/lucene-query.ts";
import { SPELLINGS, answers, isSubject, isWhole } from "../search/facets.ts";
import { valuesFacet } from "./aggregates.ts";
import { plainDocument } from "./plain.ts";
import { type SolrReader, bodyOf, find, numberIn, textIn } from "./reader.ts";
import { prepareSelection, selectionQuery } from "./selection.ts";

const bucketSchema = z.object({ val: z.union([z.string(), z.number()]), count: z.int() });
const answerSchema = z.object({ facets: z.looseObject({ count: z.int() }) });
const valuesSchema = z.object({ buckets: z.array(bucketSchema) });

/** `SearchEngine.facets`. All counts are exact; one round trip, one more for names of authors. */
export async function countFacets(reader: SolrReader, search: FacetSearch): Promise<Facets> {
  const { all } = await prepareSelection(reader, search);
  if (all === undefined) return { numFound: 0, fields: answers(search.facets, new Map()), exact: true };
  const facet = Object.fromEntries(search.facets.flatMap((request, at) => facetOf(request, at)));
  const body = { ...bodyOf("work", { query: selectionQuery(all), limit: 0 }), facet };
  const { facets } = await reader.collection.ask("query", body, answerSchema);
  const counted = await Promise.all(
    search.facets.map(async ({ field }, at): Promise<[string, readonly FacetValue[]]> => {
      const values = valuesSchema.parse(facets[`f${at}`] ?? { buckets: [] }).buckets;
      return [field, await valuesOf(reader, field, values)];
    }),
  );
  const byName = isWhole(search) ? await subjectNames(reader, search.facets) : new Map();
  const fields = answers(search.facets, new Map([...counted, ...byName]));
  return { numFound: facets.count, fields, exact: byName.size === 0 };
}

/** Over all works subjects have one name each, the most frequent one, as in the index in D1. */
async function subjectNames(reader: SolrReader, requests: readonly FacetRequest[]) {
  const asked = requests.filter(({ field }) => isSubject(field));
  const found = asked.map(async (request): Promise<[string, FacetValue[]]> => {
    const type = request.field.replace("_facet", "");
    const { docs } = await find(reader, "subject", {
      query: fieldIs("subject_token", filterToken("ty", type)),
      sort: "n_work_count desc, id asc",
      fields: ["document", "n_name_count"],
      limit: SPELLINGS * valuesNeeded(request),
    });
    const values = docs.map((one) => {
      const { name } = plainDocument("subject", one);
      return { value: String(name), count: numberIn(one, "n_name_count") ?? 0 };
    });
    return [request.field, values];
  });
  return new Map(await Promise.all(found));
}

function facetOf(request: FacetRequest, at: number): [string, object][] {
  const { field, prefix } = request;
  const source = FACET_SOURCES.get(field);
  if (source === undefined) return [];
  // What follows from others is made of all of them.
  const limit = source.level === undefined ? valuesNeeded(request) : FACET_VALUES_MAX;
  const isAsStored = source.level === undefined && field !== "author_facet";
  const own = prefix === undefined || !isAsStored ? {} : { prefix };
  const facet = valuesFacet(`f_${source.keyed ? field : source.member}`, limit);
  return [[`f${at}`, { ...facet, ...own, refine: true }]];
}

async function valuesOf(
  reader: SolrReader,
  field: string,
  buckets: readonly z.infer<typeof bucketSchema>[],
): Promise<readonly FacetValue[]> {
  const values = buckets.map(({ val, count }) => ({ value: String(val), count }));
  return field === "author_facet" ? withNames(reader, values) : fieldValues(field, values);
}

async function withNames(reader: SolrReader, values: readonly FacetValue[]): Promise<FacetValue[]> {
  const query = idsQuery(values.map(({ value }) => `/authors/${value}`));
  const { docs } = await find(reader, "author", { query, fields: ["id", "document"], limit: values.length });
  const names = new Map(
    docs.map((one) => [textIn(one, "id"), String(JSON.parse(textIn(one, "document")).name)] as const),
  );
  return values.map(({ value, count }) => ({
    value: `${value} ${names.get(`/authors/${value}`) ?? ""}`,
    count,
  }));
}

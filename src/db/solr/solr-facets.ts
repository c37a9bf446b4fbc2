import * as z from "zod";
import {
  type CountedWorks,
  type FacetRequest,
  type FacetSearch,
  type FacetValue,
  type Facets,
  type SubjectCount,
  SUBJECT_COUNT_FIELDS,
} from "../../search/engine.ts";
import {
  FACET_SOURCES,
  FACET_VALUES_MAX,
  fieldValuesOf,
  countNeededValues,
  FACET_SPELLINGS,
  SUBJECT_COVER_WORKS_MAX,
  isSubject,
  coversWholeIndex,
  pickFacets,
} from "../../search/facets.ts";
import { toFilterToken } from "../../search/indexing/filter-token.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";
import { queryFieldIn, queryField, idsQuery } from "../../search/lucene/lucene-query.ts";
import { planSearch } from "../../search/plan/selection.ts";
import {
  type CountedQuery,
  type SolrReader,
  bodyOf,
  bucketsSchema,
  bytesIn,
  countEach,
  find,
  numberIn,
  textIn,
  valuesFacet,
} from "./reader.ts";
import { readSolrVocabulary, selectionQuery } from "./solr-terms.ts";

const answerSchema = z.object({ facets: z.looseObject({ count: z.int() }) });

/** Implements `SearchEngine.facets`. All counts are exact. One round trip, one more for names of authors. */
export async function countSolrFacets(reader: SolrReader, search: FacetSearch): Promise<Facets> {
  const { all } = await planSearch(search, reader.prefix, (requests) => readSolrVocabulary(reader, requests));
  if (all === undefined) return { numFound: 0, fields: pickFacets(search.facets, new Map()), exact: true };
  const facet = Object.fromEntries(search.facets.flatMap(facetOf));
  const body = { ...bodyOf("work", { query: selectionQuery(all), limit: 0 }), facet };
  const { facets } = await reader.collection.ask("query", body, answerSchema);
  const counted = await Promise.all(
    search.facets.map(async ({ field }, at): Promise<[string, readonly FacetValue[]]> => {
      const { buckets } = bucketsSchema.parse(facets[`f${at}`] ?? { buckets: [] });
      const values = buckets.map(({ val, count }) => ({ value: String(val), count }));
      return [
        field,
        field === "author_facet" ? await withNames(reader, values) : fieldValuesOf(field, values),
      ];
    }),
  );
  const bySpelling = coversWholeIndex(search) ? await countSpellings(reader, search.facets) : [];
  const fields = pickFacets(search.facets, new Map([...counted, ...bySpelling]));
  return { numFound: facets.count, fields, exact: bySpelling.length === 0 };
}

/** Returns the facet of a request by its name; none for unknown fields. */
function facetOf(request: FacetRequest, at: number): [string, object][] {
  const { field, prefix } = request;
  const source = FACET_SOURCES.get(field);
  if (source === undefined) return [];
  // Values that are derived from others need all of these.
  const limit = source.level === undefined ? countNeededValues(request) : FACET_VALUES_MAX;
  const isAsStored = source.level === undefined && field !== "author_facet";
  const facet = valuesFacet(`f_${source.keyed ? field : source.member}`, limit);
  return [[`f${at}`, { ...facet, ...(prefix !== undefined && isAsStored && { prefix }), refine: true }]];
}

/** Counts subjects over all works: each has one name, the most frequent one, as in the embedded index. */
function countSpellings(
  reader: SolrReader,
  requests: readonly FacetRequest[],
): Promise<[string, FacetValue[]][]> {
  return Promise.all(
    requests
      .filter(({ field }) => isSubject(field))
      .map(async (request): Promise<[string, FacetValue[]]> => {
        const { docs } = await find(reader, "subject", {
          query: queryField("subject_token", toFilterToken("ty", request.field.replace("_facet", ""))),
          sort: "n_work_count desc, id asc",
          fields: ["document", "n_name_count"],
          limit: FACET_SPELLINGS * countNeededValues(request),
        });
        const values = docs.map((doc) => {
          const value = String(JSON.parse(textIn(doc, "document")).name);
          return { value, count: numberIn(doc, "n_name_count") ?? 0 };
        });
        return [request.field, values];
      }),
  );
}

async function withNames(reader: SolrReader, values: readonly FacetValue[]): Promise<FacetValue[]> {
  const query = idsQuery(values.map(({ value }) => `/authors/${value}`));
  const { docs } = await find(reader, "author", { query, fields: ["id", "document"], limit: values.length });
  const names = new Map(
    docs.map((doc) => [textIn(doc, "id"), String(JSON.parse(textIn(doc, "document")).name)] as const),
  );
  return values.map(({ value, count }) => ({
    value: `${value} ${names.get(`/authors/${value}`) ?? ""}`,
    count,
  }));
}

export const SUBJECT_FACETS = Object.fromEntries(
  SUBJECT_COUNT_FIELDS.map((name) => [name, valuesFacet(`f_${name}`)]),
);

/** Returns the most frequent subjects of each field: by count, then by text, ascending if `ties` is 1. */
export function subjectsOf(
  counted: CountedQuery | undefined,
  { limit, ties }: { limit: number; ties: 1 | -1 },
): SubjectCount[] {
  const byFrequency = (a: SubjectCount, b: SubjectCount): number =>
    b.count - a.count || ties * (Number(a.value > b.value) - Number(a.value < b.value));
  return SUBJECT_COUNT_FIELDS.flatMap((name, field) => {
    const facet = counted?.[name];
    const buckets = typeof facet === "object" ? facet.buckets : [];
    const counts = buckets.map(({ val, count }) => ({ owner: 0, field, value: String(val), count }));
    return counts.sort(byFrequency).slice(0, limit);
  }).sort(byFrequency);
}

/** Implements `SearchEngine.subjectCounts`. One round trip. */
export async function countSolrSubjects(
  reader: SolrReader,
  { ids, tokens }: CountedWorks,
  limit: number,
): Promise<SubjectCount[]> {
  if (ids.length + tokens.length === 0) return [];
  const works = `(${queryFieldIn("no", ids)}) (${queryFieldIn("work_token", tokens)})`;
  const [counted] = await countEach(reader, [works], SUBJECT_FACETS);
  return subjectsOf(counted, { limit, ties: 1 });
}

/** Implements `SearchEngine.subjectCovers`: the cover of the first of `SUBJECT_COVER_WORKS_MAX` works by number. */
export async function readSolrSubjectCovers(
  reader: SolrReader,
  tokens: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const covers = await Promise.all(
    Array.from(tokens, async ([name, token]) => {
      const query = queryField("work_token", token);
      const { docs } = await find(reader, "work", {
        query,
        fields: ["brief"],
        limit: SUBJECT_COVER_WORKS_MAX,
      });
      // The field holds `cover_i`, unless the work has no cover.
      const works = docs.map((doc) => JSON.parse(bytesIn(doc, "brief")) as StoredWorkMembers);
      const cover = works.map(({ cover_i }) => cover_i ?? 0).find((id) => id > 0);
      return cover === undefined ? [] : [[name, cover] as const];
    }),
  );
  return new Map(covers.flat());
}

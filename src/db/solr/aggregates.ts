import * as z from "zod";
import { type CountedWorks, type SubjectCount, SUBJECT_COUNT_FIELDS } from "../../search/engine.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";
import { fieldIn, fieldIs } from "../../search/lucene/lucene-query.ts";
import { SUBJECT_COVER_WORKS_MAX } from "../search/subject-counts.ts";
import { type SolrReader, bodyOf, bytesIn, find } from "./reader.ts";

const bucketsSchema = z.object({
  buckets: z.array(z.object({ val: z.union([z.string(), z.number()]), count: z.int() })),
});
const countedSchema = z.object({ count: z.int() }).catchall(z.union([bucketsSchema, z.number()]));
/** How many works there are, and what is counted and summed of them, by name. */
export type Counted = z.infer<typeof countedSchema>;
const facetsSchema = z.object({ facets: z.looseObject({ count: z.int() }) });

/** Facets of several queries in one request, parallel to them. */
export async function countEach(
  { collection }: SolrReader,
  queries: readonly string[],
  facet: Readonly<Record<string, unknown>> = {},
): Promise<Counted[]> {
  if (queries.length === 0) return [];
  const facets = queries.map((q, at) => [`q${at}`, { type: "query", q, facet }]);
  const body = { ...bodyOf("work", { query: "*:*", limit: 0 }), facet: Object.fromEntries(facets) };
  const answer = await collection.ask("query", body, facetsSchema);
  return queries.map((_query, at) => countedSchema.parse(answer.facets[`q${at}`] ?? { count: 0 }));
}

/** All values of a field, the most frequent first. */
export function valuesFacet(field: string, limit = -1) {
  return { type: "terms", field, limit, mincount: 1 };
}

/** Facets of the subjects of works, by field. */
export const SUBJECT_FACETS = Object.fromEntries(
  SUBJECT_COUNT_FIELDS.map((name) => [name, valuesFacet(`f_${name}`)]),
);

/** The most frequent subjects of each field, more frequent ones first, then by text in one direction or the other. */
export function subjectsOf(
  counted: Counted,
  { limit, ties }: { limit: number; ties: 1 | -1 },
): SubjectCount[] {
  return SUBJECT_COUNT_FIELDS.flatMap((name, field) => {
    const facet = counted[name];
    const buckets = typeof facet === "object" ? facet.buckets : [];
    const counts = buckets.map(({ val, count }) => ({ owner: 0, field, value: String(val), count }));
    return counts.sort(byFrequency(ties)).slice(0, limit);
  }).sort(byFrequency(ties));
}

function byFrequency(ties: 1 | -1) {
  return (a: SubjectCount, b: SubjectCount): number =>
    b.count - a.count || ties * (Number(a.value > b.value) - Number(a.value < b.value));
}

/** `SearchEngine.subjectCounts`. */
export async function countSubjectsOfWorks(
  reader: SolrReader,
  { ids, tokens }: CountedWorks,
  limit: number,
): Promise<SubjectCount[]> {
  if (ids.length + tokens.length === 0) return [];
  const works = `(${fieldIn("no", ids)}) (${fieldIn("work_token", tokens)})`;
  const [counted] = await countEach(reader, [works], SUBJECT_FACETS);
  return subjectsOf(counted ?? { count: 0 }, { limit, ties: 1 });
}

/** `SearchEngine.subjectCovers`: of the first works by number that have one. */
export async function readSubjectCovers(
  reader: SolrReader,
  tokens: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.all(
    [...tokens].map(async ([name, token]) => {
      const query = fieldIs("work_token", token);
      const ask = { query, fields: ["brief"], limit: SUBJECT_COVER_WORKS_MAX };
      const { docs } = await find(reader, "work", ask);
      // The field holds `cover_i`, where there is one.
      const works = docs.map((one) => JSON.parse(bytesIn(one, "brief")) as StoredWorkMembers);
      const cover = works.map(({ cover_i }) => cover_i ?? 0).find((one) => one > 0);
      return cover === undefined ? [] : [[name, cover] as const];
    }),
  );
  return new Map(found.flat());
}

import * as z from "zod";
import { lastSegment } from "../../catalog/keys.ts";
import { SHELVES, byShelf } from "../../catalog/patrons/shelves.ts";
import type { AuthorSums } from "../../search/documents/stored.ts";
import { fullTitle } from "../../search/documents/titles.ts";
import { type CountedWorks, type SubjectCount, SUBJECT_COUNT_FIELDS } from "../../search/engine.ts";
import { filterToken } from "../../search/indexing/filter-token.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";
import { STARS } from "../../search/lucene/documents.ts";
import { fieldIn, fieldIs } from "../../search/lucene/query.ts";
import { SUBJECT_COVER_WORKS_MAX } from "../search/subject-counts.ts";
import { type SolrReader, bodyOf, find, textIn } from "./reader.ts";

/** Most frequent subjects that an author's document names. */
const TOP_SUBJECTS = 10;
/** Authors of one request. */
const SUMMED_AUTHORS_MAX = 50;

const bucketsSchema = z.object({
  buckets: z.array(z.object({ val: z.union([z.string(), z.number()]), count: z.int() })),
});
const countedSchema = z.object({ count: z.int() }).catchall(z.union([bucketsSchema, z.number()]));
type Counted = z.infer<typeof countedSchema>;
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

const SUMS = {
  ...Object.fromEntries(STARS.map((stars) => [`stars_${stars}`, `sum(n_stars_${stars})`])),
  ...Object.fromEntries(SHELVES.map(({ count }) => [count, `sum(n_${count}_count)`])),
};

/** What the works of authors add up to, by key of the author; authors without works have none. */
export async function sumAuthors(
  reader: SolrReader,
  keys: readonly string[],
): Promise<ReadonlyMap<string, AuthorSums>> {
  const sums = new Map<string, AuthorSums>();
  for (let at = 0; at < keys.length; at += SUMMED_AUTHORS_MAX) {
    const page = keys.slice(at, at + SUMMED_AUTHORS_MAX);
    const queries = page.map((key) => fieldIs("work_token", filterToken("ak", lastSegment(key))));
    const counted = await countEach(reader, queries, { ...SUMS, ...SUBJECT_FACETS });
    await Promise.all(
      page.map(async (key, place) => {
        const one = counted[place];
        if (one === undefined || one.count === 0) return;
        sums.set(key, { ...sumsOf(one), ...(await topWork(reader, queries[place] ?? "")) });
      }),
    );
  }
  return sums;
}

function sumsOf(counted: Counted): AuthorSums {
  const sum = (name: string): number => {
    const value = counted[name];
    return typeof value === "number" ? value : 0;
  };
  const subjects = subjectsOf(counted, { limit: TOP_SUBJECTS, ties: -1 });
  return {
    work_count: counted.count,
    top_subjects: [...new Set(subjects.map(({ value }) => value))].slice(0, TOP_SUBJECTS),
    counts: {
      ratings: [sum("stars_1"), sum("stars_2"), sum("stars_3"), sum("stars_4"), sum("stars_5")],
      ...byShelf("member", ({ count }) => sum(count)),
    },
  };
}

/** The title of the work with most editions. */
async function topWork(reader: SolrReader, query: string): Promise<Pick<AuthorSums, "top_work">> {
  const sort = "n_edition_count desc, no asc";
  const { docs } = await find(reader, "work", { query, sort, fields: ["document"], limit: 1 });
  return docs.reduce((_none, one) => {
    // The field holds what `workDocument` made.
    const { title, subtitle } = JSON.parse(textIn(one, "document")) as StoredWorkMembers;
    return { top_work: fullTitle(title, subtitle) };
  }, {});
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
      const ask = { query, fields: ["document"], limit: SUBJECT_COVER_WORKS_MAX };
      const { docs } = await find(reader, "work", ask);
      // The field holds what `workDocument` made.
      const works = docs.map((one) => JSON.parse(textIn(one, "document")) as StoredWorkMembers);
      const cover = works.map(({ cover_i }) => cover_i ?? 0).find((one) => one > 0);
      return cover === undefined ? [] : [[name, cover] as const];
    }),
  );
  return new Map(found.flat());
}

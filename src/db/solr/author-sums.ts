import { lastSegment } from "../../catalog/keys.ts";
import { SHELVES, byShelf } from "../../catalog/patrons/shelves.ts";
import type { AuthorSums } from "../../search/documents/types.ts";
import { fullTitle } from "../../search/documents/titles.ts";
import { SUBJECT_COUNT_FIELDS } from "../../search/engine.ts";
import { filterToken } from "../../search/indexing/filter-token.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";
import { STARS } from "../../search/lucene/solr-documents.ts";
import { fieldIn } from "../../search/lucene/lucene-query.ts";
import { type Counted, SUBJECT_FACETS, countEach, subjectsOf } from "./aggregates.ts";
import { type Found, type SolrReader, bytesIn, find, numberIn } from "./reader.ts";

/** Most frequent subjects that an author's document names. */
const TOP_SUBJECTS = 10;
/** Authors whose works are read at once, and works that are. */
const SUMMED_AUTHORS_MAX = 100;
const READ_WORKS_MAX = 1000;

/** Fields that are summed, by the name of their sum. */
const SUMMED_FIELDS = new Map([
  ...STARS.map((stars) => [`stars_${stars}`, `n_stars_${stars}`] as const),
  ...SHELVES.map(({ count }) => [count, `n_${count}_count`] as const),
]);

/** What the works of authors add up to, by key of the author; authors without works have none. */
export async function sumAuthors(
  reader: SolrReader,
  keys: readonly string[],
): Promise<ReadonlyMap<string, AuthorSums>> {
  const pages: ReturnType<typeof sumPage>[] = [];
  for (let at = 0; at < keys.length; at += SUMMED_AUTHORS_MAX) {
    pages.push(sumPage(reader, keys.slice(at, at + SUMMED_AUTHORS_MAX)));
  }
  return new Map((await Promise.all(pages)).flat());
}

/** Facets of each author would take the time of all subjects that there are: the works of most authors are few, and are read. */
async function sumPage(reader: SolrReader, keys: readonly string[]): Promise<[string, AuthorSums][]> {
  const query = `(${fieldIn("work_token", keys.map(tokenOf))})`;
  const { numFound, docs } = await find(reader, "work", {
    query,
    sort: "n_edition_count desc, no asc",
    fields: ["brief", ...SUMMED_FIELDS.values(), ...SUBJECT_COUNT_FIELDS.map((name) => `f_${name}`)],
    limit: READ_WORKS_MAX,
  });
  const works = docs.map((one) => ({ one, work: workOf(one) }));
  if (numFound > docs.length && keys.length > 1) {
    const middle = Math.ceil(keys.length / 2);
    return [
      ...(await sumPage(reader, keys.slice(0, middle))),
      ...(await sumPage(reader, keys.slice(middle))),
    ];
  }
  const sums = keys.map(async (key): Promise<[string, AuthorSums][]> => {
    const own = works.filter(({ work }) => work.author_key?.includes(lastSegment(key)));
    const [top] = own;
    if (top === undefined) return [];
    const isAll = numFound === docs.length;
    const counted = isAll ? countedOf(own.map(({ one }) => one)) : await countedBySolr(reader, query);
    return [[key, { ...sumsOf(counted), top_work: fullTitle(top.work.title, top.work.subtitle) }]];
  });
  return (await Promise.all(sums)).flat();
}

function tokenOf(key: string): string {
  return filterToken("ak", lastSegment(key));
}

/** What is shown of a work by default: title and authors are. */
function workOf(found: Found): StoredWorkMembers {
  // The field holds what `workDocument` made.
  return JSON.parse(bytesIn(found, "brief")) as StoredWorkMembers;
}

async function countedBySolr(reader: SolrReader, query: string): Promise<Counted> {
  const sums = Object.fromEntries([...SUMMED_FIELDS].map(([name, field]) => [name, `sum(${field})`]));
  const [counted] = await countEach(reader, [query], { ...sums, ...SUBJECT_FACETS });
  return counted ?? { count: 0 };
}

/** The same of works that were read. */
function countedOf(works: readonly Found[]): Counted {
  const sums = [...SUMMED_FIELDS].map(([name, field]) => {
    return [name, works.reduce((sum, one) => sum + (numberIn(one, field) ?? 0), 0)] as const;
  });
  const subjects = SUBJECT_COUNT_FIELDS.map((name) => {
    const values = works.flatMap((one) => [one[`f_${name}`] ?? []].flat().map(String));
    const counts = Map.groupBy(values, (value) => value);
    return [name, { buckets: [...counts].map(([val, all]) => ({ val, count: all.length })) }] as const;
  });
  return { ...Object.fromEntries([...sums, ...subjects]), count: works.length };
}

function sumsOf(counted: Counted): Omit<AuthorSums, "top_work"> {
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

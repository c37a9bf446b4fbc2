import { lastSegmentOf } from "../../catalog/keys.ts";
import { SHELVES, mapShelves } from "../../catalog/patrons/shelves.ts";
import type { AuthorSums, StoredAuthor, AuthorDocument, ListDocument } from "../../search/documents/types.ts";
import { joinTitle } from "../../search/documents/titles.ts";
import { type Versioned, SUBJECT_COUNT_FIELDS } from "../../search/engine.ts";
import { TOP_SUBJECTS } from "../../search/indexing/author-tally.ts";
import { toFilterToken } from "../../search/indexing/filter-token.ts";
import { type SubjectRow, toAuthorRows, toListRows } from "../../search/indexing/plain-rows.ts";
import type { StoredWorkMembers } from "../../search/indexing/work-rows.ts";
import { STARS, toSolrAuthor, toSolrList, toSolrSubject } from "../../search/lucene/solr-documents.ts";
import { queryFieldIn, queryField } from "../../search/lucene/lucene-query.ts";
import { NO_SUMS, SUMMED_WORKS_MAX, numberAuthors, omitSums } from "../indexing/author-sums.ts";
import { LIST_SUBJECTS, listedWorksOf, groupByField } from "../indexing/subjects.ts";
import {
  type CountedQuery,
  type SolrFields,
  type SolrReader,
  bytesIn,
  countEach,
  find,
  numberIn,
  readNow,
  textIn,
} from "./reader.ts";
import { SUBJECT_FACETS, subjectsOf } from "./solr-facets.ts";
import type { Write } from "./solr-writes.ts";

export async function planAuthorWrites(
  reader: SolrReader,
  authors: readonly Versioned<AuthorDocument>[],
): Promise<Write[]> {
  const numbered = numberAuthors(authors, reader.prefix);
  const sums = await sumAuthors(
    reader,
    numbered.map(({ document }) => document.key),
  );
  return numbered.map(({ id, version, document }) => {
    const rows = toAuthorRows(document, { id, version, sums: sums.get(document.key) ?? NO_SUMS.sums });
    return { id: document.key, version, documentOf: () => toSolrAuthor(rows) };
  });
}

/** Returns the writes of authors that are in Solr, do not have too many works, and whose sums have changed. */
export async function planAuthorRefreshes(reader: SolrReader, olids: Iterable<string>): Promise<Write[]> {
  const keys = Array.from(new Set(olids), (olid) => `/authors/${lastSegmentOf(olid)}`);
  const stored = await readNow(reader, keys, ["version", "document", "n_work_count"]);
  const summed = [...stored.values()].filter(
    (doc) => doc["kind"] === "author" && (numberIn(doc, "n_work_count") ?? 0) <= SUMMED_WORKS_MAX,
  );
  const authors = summed.map((doc) => ({
    version: numberIn(doc, "version") ?? 0,
    // The field holds what `toAuthorRows` returned.
    document: omitSums(JSON.parse(textIn(doc, "document")) as StoredAuthor),
  }));
  const writes = await planAuthorWrites(reader, authors);
  return writes.filter(
    ({ id, documentOf }) => documentOf(undefined)["document"] !== stored.get(id)?.["document"],
  );
}

/** Returns the writes of lists and series, with the subjects of their works. */
export async function planListWrites(
  reader: SolrReader,
  lists: readonly Versioned<ListDocument>[],
): Promise<Write[]> {
  const queries = lists.map(({ document }) => {
    const { ids, tokens } = listedWorksOf(document, reader.prefix);
    return `(${queryFieldIn("no", ids)}) (${queryFieldIn("work_token", tokens)})`;
  });
  const counted = await countEach(reader, queries, SUBJECT_FACETS);
  return lists.map(({ document, version }, at) => {
    const subjects = subjectsOf(counted[at], { limit: LIST_SUBJECTS, ties: -1 });
    const rows = toListRows(document, version, groupByField(subjects));
    return { id: document.key, version, documentOf: () => toSolrList(rows) };
  });
}

/** Maximum number of authors whose works are read together, and of these works. */
const SUMMED_AUTHORS_MAX = 100;
const READ_WORKS_MAX = 1000;

const SUMMED_FIELDS = new Map([
  ...STARS.map((stars) => [`stars_${stars}`, `n_stars_${stars}`] as const),
  ...SHELVES.map(({ count }) => [count, `n_${count}_count`] as const),
]);

/** Returns the sums over the works of authors, by key. Authors without works are absent. */
async function sumAuthors(
  reader: SolrReader,
  keys: readonly string[],
): Promise<ReadonlyMap<string, AuthorSums>> {
  const pages: ReturnType<typeof sumPage>[] = [];
  for (let at = 0; at < keys.length; at += SUMMED_AUTHORS_MAX) {
    pages.push(sumPage(reader, keys.slice(at, at + SUMMED_AUTHORS_MAX)));
  }
  return new Map((await Promise.all(pages)).flat());
}

/**
 * Most authors have few works, which are read: facets of each author would take time for all subjects of the index. Solr
 * counts only the works of an author with more than `READ_WORKS_MAX`.
 */
async function sumPage(reader: SolrReader, keys: readonly string[]): Promise<[string, AuthorSums][]> {
  const tokens = keys.map((key) => toFilterToken("ak", lastSegmentOf(key)));
  const query = `(${queryFieldIn("work_token", tokens)})`;
  const { numFound, docs } = await find(reader, "work", {
    query,
    sort: "n_edition_count desc, no asc",
    fields: ["brief", ...SUMMED_FIELDS.values(), ...SUBJECT_COUNT_FIELDS.map((name) => `f_${name}`)],
    limit: READ_WORKS_MAX,
  });
  const isComplete = numFound <= docs.length;
  if (!isComplete && keys.length > 1) {
    const middle = Math.ceil(keys.length / 2);
    return [
      ...(await sumPage(reader, keys.slice(0, middle))),
      ...(await sumPage(reader, keys.slice(middle))),
    ];
  }
  const works = docs.map((doc) => ({
    doc,
    // The field holds what `workDocument` returned: the default fields, with title and authors.
    members: JSON.parse(bytesIn(doc, "brief")) as StoredWorkMembers,
  }));
  const sums = keys.map(async (key): Promise<[string, AuthorSums][]> => {
    const ofAuthor = works.filter(({ members }) => members.author_key?.includes(lastSegmentOf(key)));
    const [top] = ofAuthor;
    if (top === undefined) return [];
    const counted = isComplete
      ? countFields(ofAuthor.map(({ doc }) => doc))
      : await countInSolr(reader, query);
    const { title, subtitle } = top.members;
    return [[key, { ...sumsOf(counted), top_work: joinTitle(title, subtitle) }]];
  });
  return (await Promise.all(sums)).flat();
}

async function countInSolr(reader: SolrReader, query: string): Promise<CountedQuery> {
  const sums = Object.fromEntries([...SUMMED_FIELDS].map(([name, field]) => [name, `sum(${field})`]));
  const [counted] = await countEach(reader, [query], { ...sums, ...SUBJECT_FACETS });
  return counted ?? { count: 0 };
}

/** Returns the counts and sums of works that were read, as Solr would. */
function countFields(works: readonly SolrFields[]): CountedQuery {
  const sums = [...SUMMED_FIELDS].map(([name, field]) => {
    return [name, works.reduce((sum, doc) => sum + (numberIn(doc, field) ?? 0), 0)] as const;
  });
  const subjects = SUBJECT_COUNT_FIELDS.map((name) => {
    const values = works.flatMap((doc) => [doc[`f_${name}`] ?? []].flat().map(String));
    const counts = Map.groupBy(values, (value) => value);
    return [name, { buckets: [...counts].map(([val, all]) => ({ val, count: all.length })) }] as const;
  });
  return { ...Object.fromEntries([...sums, ...subjects]), count: works.length };
}

function sumsOf(counted: CountedQuery): Omit<AuthorSums, "top_work"> {
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
      ...mapShelves("member", ({ count }) => sum(count)),
    },
  };
}

/** Maximum number of subjects, or of their spellings, counted per request. */
const COUNTED_MAX = 200;

/**
 * Recounts subjects. The name is the most frequent spelling among the given ones and the previous one (Q63). Subjects
 * without works are removed.
 */
export async function countSubjects(reader: SolrReader, subjects: readonly SubjectRow[]): Promise<void> {
  const byKey = [...Map.groupBy(subjects, ({ key }) => key).values()];
  for (let at = 0; at < byKey.length; at += COUNTED_MAX) {
    await countSubjectPage(reader, byKey.slice(at, at + COUNTED_MAX));
  }
}

async function countSubjectPage(
  reader: SolrReader,
  groups: readonly (readonly SubjectRow[])[],
): Promise<void> {
  const firsts = groups.flatMap(([first]) => first ?? []);
  const keys = firsts.map(({ key }) => key);
  const keyTokens = firsts.map(({ keyToken }) => keyToken);
  const nameTokens = groups.flat().map(({ nameToken }) => nameToken);
  const [works, named, stored] = await Promise.all([
    countTokens(reader, keyTokens),
    countTokens(reader, nameTokens),
    readNow(reader, keys, ["document", "n_name_count"]),
  ]);
  const updates: object[] = [];
  const deletes: string[] = [];
  for (const group of groups) {
    const [first] = group;
    if (first === undefined) continue;
    const count = works.get(first.keyToken) ?? 0;
    if (count === 0) {
      deletes.push(first.key);
      continue;
    }
    const counts = group.map((row) => ({ row, count: named.get(row.nameToken) ?? 0 }));
    const best = findBestSpelling(counts, stored.get(first.key));
    updates.push(toSolrSubject(best.row, { works: count, named: best.count }));
  }
  if (deletes.length > 0) await reader.collection.update({ delete: deletes }, false);
  if (updates.length > 0) await reader.collection.update(updates, false);
}

interface CountedSpelling {
  readonly row: SubjectRow;
  readonly count: number;
}

function findBestSpelling(
  spellings: readonly CountedSpelling[],
  old: SolrFields | undefined,
): CountedSpelling {
  const [first] = spellings;
  if (first === undefined) throw new Error("a subject without a name");
  const all = [...spellings];
  if (old !== undefined) {
    const name = String(JSON.parse(textIn(old, "document")).name);
    // The previous name has its new count if it is among the spellings.
    const isCounted = spellings.some(({ row }) => row.name === name);
    if (!isCounted) all.push({ row: { ...first.row, name }, count: numberIn(old, "n_name_count") ?? 0 });
  }
  return all.reduce((best, spelling) => {
    const isBetter =
      spelling.count > best.count || (spelling.count === best.count && spelling.row.name < best.row.name);
    return isBetter ? spelling : best;
  });
}

async function countTokens(
  reader: SolrReader,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let at = 0; at < tokens.length; at += COUNTED_MAX) {
    const page = tokens.slice(at, at + COUNTED_MAX);
    const counted = await countEach(
      reader,
      page.map((token) => queryField("work_token", token)),
    );
    for (const [place, token] of page.entries()) counts.set(token, counted[place]?.count ?? 0);
  }
  return counts;
}

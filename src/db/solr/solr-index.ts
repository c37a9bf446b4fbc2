import { lastSegmentOf } from "../../catalog/keys.ts";
import type { WorkCounts, WorkDocument } from "../../search/documents/types.ts";
import { popularityScoreOf } from "../../search/documents/popularity.ts";
import {
  type Lookup,
  type SearchIndex,
  type Update,
  type Versioned,
  FOUND_WORKS_MAX,
  otherGenerationOf,
} from "../../search/engine.ts";
import { namesOf } from "../../search/indexing/changed-keys.ts";
import { toFilterToken } from "../../search/indexing/filter-token.ts";
import { BEFORE_ALL_WORKS, keyOfWorkId, workIdOfKey } from "../../search/indexing/ids.ts";
import { type StoredWorkMembers, toWorkRows } from "../../search/indexing/work-rows.ts";
import {
  DAY_FIELDS,
  HOUR_FIELDS,
  TRENDING_FIELDS,
  readerFieldsOf,
  toSolrSpelling,
  spellingId,
  toSolrTombstone,
  trendingFieldsOf,
  toSolrWork,
} from "../../search/lucene/solr-documents.ts";
import { queryFieldIn, idsQuery } from "../../search/lucene/lucene-query.ts";
import { toSpellingTerms } from "../../search/text/spelling.ts";
import type { IndexOptions } from "../indexing/apply.ts";
import { findChangedSubjects } from "../indexing/work-changes.ts";
import { runSubjectPass } from "../indexing/subjects.ts";
import { type IndexNotes, setTerm, CLEARING, readIndexState } from "../indexing/index-state.ts";
import type { SolrSettings } from "./client.ts";
import { planAuthorWrites, countSubjects, planListWrites, planAuthorRefreshes } from "./plain-writes.ts";
import {
  type SolrFields,
  type SolrReader,
  find,
  noOf,
  numberIn,
  readNow,
  textIn,
  writerOf,
} from "./reader.ts";
import { readTokensBetween } from "./solr-terms.ts";
import { type Write, makeVisible, mergeSegments, writeAll } from "./solr-writes.ts";

/** Maximum number of works of a range; the audit asks for a thousand. */
const RANGE_WORKS_MAX = 100_000;
/** Maximum number of calls, of a minute each, that wait for a merge of segments. */
const MERGE_CALLS_MAX = 600;

/** Generation to write, and the other one, from which trends are copied. */
interface Target extends SolrReader {
  readonly other: SolrReader;
}

/**
 * Creates the write interface of generations in Solr, each of them a collection. `notes` holds the position of the pass over
 * subjects. Methods throw `SolrError`.
 */
export function createSolrIndex(
  settings: SolrSettings,
  notes: IndexNotes,
  options: IndexOptions,
): SearchIndex {
  const { prefix } = options;
  const targets = options.generations.map((generation): Target => {
    const other = writerOf(settings, otherGenerationOf(generation), prefix);
    return { ...writerOf(settings, generation, prefix), other };
  });
  const [first, ...others] = targets;
  if (first === undefined) throw new Error("an index without a generation");
  const each = async <Type>(run: (target: Target) => Promise<Type>): Promise<Type[]> => {
    const results: Type[] = [];
    for (const target of targets) results.push(await run(target));
    return results;
  };
  const eachWork = async (run: (target: Target) => Promise<number[]>): Promise<number[]> =>
    [...new Set((await each(run)).flat())].sort((a, b) => a - b);
  return {
    apply: async (update) => void (await each((target) => applyUpdate(target, update, options))),
    patchCounts: (patches) => eachWork((target) => patchCounts(target, patches)),
    patchTrending: async (patches) =>
      void (await each((target) =>
        patchWorks(target, patches, ({ trending }) => trendingFieldsOf(trending)),
      )),
    worksShowing: async (shown) => {
      const ids = await eachWork((target) => findWorksShowing(target, shown));
      return ids.slice(0, shown.limit);
    },
    lookUp: async (lookup) => {
      const ids = await eachWork((target) => findLookedUp(target, lookup));
      return { works: ids, names: await readShownNames(first, lookup.names) };
    },
    differing: (works) => findDifferingWorks(first, works),
    worksBetween: ({ from, to }) => findWorks(first, `no:[${from} TO ${to}]`, RANGE_WORKS_MAX),
    countSubjects: async () => {
      if (others.length > 0) return true;
      const isDone = await runSubjectPass(notes, {
        tokensBetween: (range) => readTokensBetween(first, range),
        refresh: (subjects) => countSubjects(first, subjects),
      });
      if (isDone) await makeVisible(first);
      return isDone;
    },
    clear: async () => {
      const { live, phase } = await readIndexState(notes);
      // Another worker may have started to fill or activate the generation.
      const isIdle = live !== options.generations[0] && (phase ?? CLEARING) === CLEARING;
      if (isIdle) await first.collection.update({ delete: { query: "*:*" } }, true);
      if (phase !== null) await setTerm(notes, null);
      return true;
    },
    // Solr merges on its own, but a rebuild ends with one segment, which halves the time of a search.
    merge: async (pass, position) => {
      if (pass !== "whole") return void (await each(makeVisible));
      const isMerged = (await each(mergeSegments)).every(Boolean);
      return isMerged || position >= MERGE_CALLS_MAX ? undefined : position + 1;
    },
    dropTombstones: async (before) => {
      const query = `+kind:tombstone +s_seen:[* TO "${before}"}`;
      await each(({ collection }) => collection.update({ delete: { query } }, true));
      return false;
    },
  };
}

async function applyUpdate(
  target: Target,
  { works: all, authors, lists, deletes }: Update,
  { prefix, now, aggregates = true, known }: IndexOptions,
): Promise<void> {
  const seen = new Date(now()).toISOString();
  const deletions = deletes
    .filter(({ key }) => !key.startsWith("/books/"))
    .map(({ key, version }) => ({ id: key, version, documentOf: () => toSolrTombstone(key, version, seen) }));
  const works = all.filter(({ document }) => workIdOfKey(document.key, prefix) !== undefined);
  const writes = [...deletions, ...(await planWorkWrites(target, works, known?.words))];
  // A rebuild starts empty, and other writers rarely change its works.
  const replaced = await writeAll(target, writes, { fields: OLD_FIELDS, areNew: !aggregates });
  if (aggregates && deletions.length + works.length > 0) {
    await makeVisible(target);
    await refreshAggregates(target, { works: works.map(({ document }) => document), replaced, deletions });
  }
  await writeAll(target, await planAuthorWrites(target, authors), { areNew: !aggregates });
  await writeAll(target, await planListWrites(target, lists));
  if (aggregates) await makeVisible(target);
}

const OLD_FIELDS = ["no", "document", ...TRENDING_FIELDS];

/**
 * Returns the writes of works, with their trends: those in this generation, or else in the other one. Also writes the words
 * of titles and names.
 */
async function planWorkWrites(
  target: Target,
  works: readonly Versioned<WorkDocument>[],
  known?: Set<string>,
): Promise<Write[]> {
  const { prefix } = target;
  const otherTrends = await readTrends(target.other, works);
  const terms = new Set<string>();
  const writes = works.map(({ document, version }): Write => {
    const id = workIdOfKey(document.key, prefix) ?? 0;
    const rows = toWorkRows(document, { id, version, prefix });
    for (const term of rows.terms) if (!known?.has(term)) terms.add(term);
    return {
      id: document.key,
      version,
      documentOf: (old) =>
        toSolrWork(rows, trendsOf(old?.["kind"] === "work" ? old : otherTrends.get(document.key))),
    };
  });
  await writeSpellings(target, terms, known);
  return writes;
}

async function readTrends(
  reader: SolrReader,
  works: readonly Versioned<WorkDocument>[],
): Promise<ReadonlyMap<string, SolrFields>> {
  if (works.length === 0) return new Map();
  const keys = works.map(({ document }) => document.key);
  const isTrending = `{!frange l=0 incl=false v="sum(${[...HOUR_FIELDS, ...DAY_FIELDS].join(",")})"}`;
  const fields = ["id", ...TRENDING_FIELDS];
  const { docs } = await find(reader, "work", {
    query: `+${idsQuery(keys)} +${isTrending}`,
    fields,
    limit: works.length,
  });
  return new Map(docs.map((doc) => [textIn(doc, "id"), doc]));
}

function trendsOf(doc: SolrFields = {}): Record<string, number> {
  return Object.fromEntries(TRENDING_FIELDS.map((field) => [field, numberIn(doc, field) ?? 0]));
}

/**
 * Writes missing words. Words that no title has any more may stay, because corrections look up their frequency. `known`
 * words have been written; new ones are added.
 */
async function writeSpellings(
  target: Target,
  terms: ReadonlySet<string>,
  known: Set<string> | undefined,
): Promise<void> {
  const stored = known === undefined ? await readNow(target, [...terms].map(spellingId), []) : new Map();
  const missing = toSpellingTerms(terms).filter(({ term }) => !stored.has(spellingId(term)));
  if (missing.length > 0) await target.collection.update(missing.map(toSolrSpelling), false);
  for (const term of terms) known?.add(term);
}

interface AppliedWorks {
  works: readonly WorkDocument[];
  replaced: readonly SolrFields[];
  deletions: readonly Write[];
}

/** Recounts the subjects and authors that works have or had. */
async function refreshAggregates(
  target: Target,
  { works, replaced, deletions }: AppliedWorks,
): Promise<void> {
  const { prefix } = target;
  const old = new Map(
    replaced
      .filter((doc) => doc["kind"] === "work")
      // The field holds what `toSolrWork` returned.
      .map((doc) => [noOf(doc), JSON.parse(textIn(doc, "document")) as StoredWorkMembers]),
  );
  const current = new Map(works.map((work) => [workIdOfKey(work.key, prefix), work]));
  const keys = [...deletions.map(({ id }) => id), ...works.map(({ key }) => key)];
  const ids = new Set(keys.flatMap((key) => workIdOfKey(key, prefix) ?? []));
  const { subjects } = findChangedSubjects(
    Array.from(ids, (id) => ({ before: old.get(id), after: current.get(id) })),
  );
  const olids = [...works, ...old.values()].flatMap((work) => work.author_key ?? []);
  await countSubjects(target, subjects);
  await writeAll(target, await planAuthorRefreshes(target, olids));
}

/** Numbers of a work that give points to its editions unless they are zero. */
const SCORED_FIELDS = ["n_ratings_count", "n_readinglog_count"] as const;

type CountPatches = Parameters<SearchIndex["patchCounts"]>[0];

async function patchCounts(target: Target, patches: CountPatches): Promise<number[]> {
  const rescored: number[] = [];
  await patchWorks(target, patches, (patch, work) => {
    const fields = countFields(patch, work);
    if (SCORED_FIELDS.some((name) => isZero(work, name) !== isZero(fields, name))) rescored.push(patch.id);
    return fields;
  });
  return rescored;
}

function isZero(work: SolrFields, field: string): boolean {
  return (numberIn(work, field) ?? 0) === 0;
}

function countFields({ counts }: { readonly counts: WorkCounts }, work: SolrFields) {
  const editionCount = numberIn(work, "n_edition_count") ?? 0;
  return readerFieldsOf(popularityScoreOf({ edition_count: editionCount, counts }), counts);
}

/** Sets fields of works in place: Solr does not store the other fields, and could not restore them. */
async function patchWorks<Patch extends { readonly id: number }>(
  target: Target,
  patches: readonly Patch[],
  fieldsOf: (patch: Patch, work: SolrFields) => object,
): Promise<void> {
  const keyOf = ({ id }: Patch): string => keyOfWorkId(id, target.prefix);
  const storedDocs = await readNow(target, patches.map(keyOf), ["n_edition_count", ...SCORED_FIELDS]);
  const updates = patches.flatMap((patch) => {
    const work = storedDocs.get(keyOf(patch));
    if (work?.["kind"] !== "work") return [];
    const fields = Object.entries(fieldsOf(patch, work)).map(([name, set]) => [name, { set }]);
    return [{ id: keyOf(patch), ...Object.fromEntries(fields) }];
  });
  if (updates.length > 0) await target.collection.update(updates, true, { inPlace: true });
}

async function findWorks(reader: SolrReader, query: string, limit: number): Promise<number[]> {
  if (limit === 0) return [];
  return (await find(reader, "work", { query, fields: ["no"], limit })).docs.map(noOf);
}

function findWorksShowing(
  reader: SolrReader,
  { code, values, after, limit }: Parameters<SearchIndex["worksShowing"]>[0],
): Promise<number[]> {
  if (values.length === 0) return Promise.resolve([]);
  const tokens = values.map((value) => toFilterToken(code, value));
  return findWorks(reader, `+(${queryFieldIn("work_token", tokens)}) +no:{${after} TO *]`, limit);
}

async function findLookedUp(reader: SolrReader, { editions, works }: Lookup): Promise<number[]> {
  const values = editions.map(lastSegmentOf);
  const showing = { code: "ek", values, after: BEFORE_ALL_WORKS, limit: FOUND_WORKS_MAX } as const;
  const present = await findWorks(reader, `(${queryFieldIn("no", works)})`, works.length);
  return [...(await findWorksShowing(reader, showing)), ...present];
}

async function readShownNames(reader: SolrReader, keys: readonly string[]): Promise<Map<string, string>> {
  const storedDocs = await readNow(reader, keys, ["document"]);
  return new Map(
    [...storedDocs].flatMap(([key, doc]) =>
      // The field holds what `authorRows` or `listRows` returned.
      doc["kind"] === "tombstone" ? [] : [[key, namesOf(JSON.parse(textIn(doc, "document")))] as const],
    ),
  );
}

/** Returns the works whose documents, or those of their editions, differ or are missing. */
async function findDifferingWorks(
  target: Target,
  works: readonly Versioned<WorkDocument>[],
): Promise<Versioned<WorkDocument>[]> {
  const { prefix } = target;
  const storedDocs = await readNow(
    target,
    works.map(({ document }) => document.key),
    ["document", "compared"],
  );
  const ids = works.flatMap(({ document }) => workIdOfKey(document.key, prefix) ?? []);
  const { docs } = await find(target, "edition", {
    query: `(${queryFieldIn("work", ids)})`,
    sort: "work asc, n_rank asc",
    fields: ["work", "shown"],
    limit: RANGE_WORKS_MAX,
  });
  const byWork = Map.groupBy(docs, (edition) => numberIn(edition, "work"));
  return works.filter(({ document, version }) => {
    const id = workIdOfKey(document.key, prefix) ?? 0;
    const expected = toSolrWork(toWorkRows(document, { id, version, prefix }), {});
    const stored = storedDocs.get(document.key);
    const editions = (byWork.get(id) ?? []).map((edition) => edition["shown"]);
    const parts = [
      expected["document"],
      expected["compared"],
      expected.editions.map((edition) => edition["shown"]),
    ];
    return JSON.stringify(parts) !== JSON.stringify([stored?.["document"], stored?.["compared"], editions]);
  });
}

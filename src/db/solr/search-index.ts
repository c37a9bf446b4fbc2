import type { WorkDocument } from "../../search/documents/types.ts";
import { popularity } from "../../search/documents/popularity.ts";
import type { SearchIndex, Update, Versioned } from "../../search/engine.ts";
import { namesOf } from "../../search/indexing/changed-keys.ts";
import { filterToken } from "../../search/indexing/filter-token.ts";
import { keyOfWorkId, workIdOfKey } from "../../search/indexing/ids.ts";
import { subjectRows } from "../../search/indexing/plain-rows.ts";
import { type StoredWorkMembers, workRows } from "../../search/indexing/work-rows.ts";
import {
  DAY_FIELDS,
  HOUR_FIELDS,
  TRENDING_FIELDS,
  readerFields,
  spellingDocument,
  spellingId,
  tombstone,
  trendingFields,
  workDocument,
} from "../../search/lucene/solr-documents.ts";
import { fieldIn, idsQuery } from "../../search/lucene/lucene-query.ts";
import { spellingTerms } from "../../search/text/spelling.ts";
import { changedSubjects } from "../indexing/affected.ts";
import type { IndexOptions } from "../indexing/apply.ts";
import { subjectPass } from "../indexing/subjects.ts";
import { type IndexNotes, CLEARING, otherGeneration, readIndexState, setTerm } from "../search/generation.ts";
import type { SolrSettings } from "./client.ts";
import { authorKeys, authorWrites, listWrites, refreshedAuthors } from "./plain-rows.ts";
import { type Found, type SolrReader, find, noOf, numberIn, patientReaderOf, textIn } from "./reader.ts";
import { countSubjects, tokensBetween } from "./subjects.ts";
import { type Write, makeVisible, mergeSegments, readNow, writeAll } from "./write.ts";

/** Works of one range, at most; the audit asks for a thousand. */
const RANGE_WORKS_MAX = 100_000;

/** Calls of a minute each that wait for segments to be put together. */
const MERGE_CALLS_MAX = 600;

/** A generation that is written, and the other one, of which it takes trends. */
interface Target extends SolrReader {
  readonly other: SolrReader;
}

/**
 * Generations of an index in Solr, each of them a collection. `notes` keeps where the pass over subjects stands. Methods
 * throw SolrError.
 */
export function createSolrIndex(
  settings: SolrSettings,
  notes: IndexNotes,
  options: IndexOptions,
): SearchIndex {
  const { prefix } = options;
  const targets = options.generations.map((generation): Target => {
    const other = patientReaderOf(settings, otherGeneration(generation), prefix);
    return { ...patientReaderOf(settings, generation, prefix), other };
  });
  const [first, ...others] = targets;
  if (first === undefined) throw new Error("an index without a generation");
  /** What is written to one generation after the other; the answers. */
  const each = async <Type>(run: (target: Target) => Promise<Type>): Promise<Type[]> => {
    const answers: Type[] = [];
    for (const target of targets) answers.push(await run(target));
    return answers;
  };
  const everywhere = async (run: (target: Target) => Promise<number[]>): Promise<number[]> =>
    [...new Set((await each(run)).flat())].sort((a, b) => a - b);
  return {
    apply: async (update) => void (await each((target) => applyUpdate(target, update, options))),
    patchCounts: (patches) => everywhere((target) => patchCounts(target, patches)),
    patchTrending: async (patches) =>
      void (await each((target) =>
        patchWorks(
          target,
          patches.map(({ id, trending }) => ({ id, fields: trendingFields(trending) })),
        ),
      )),
    worksShowing: async (shown) => {
      const found = await everywhere((target) => worksShowing(target, shown));
      return found.slice(0, shown.limit);
    },
    worksPresent: (ids) => everywhere((target) => worksFound(target, `(${fieldIn("no", ids)})`, ids.length)),
    namesShown: (keys) => namesShown(first, keys),
    differing: (works) => differing(first, works),
    worksBetween: ({ from, to }) => worksFound(first, `no:[${from} TO ${to}]`, RANGE_WORKS_MAX),
    countSubjects: async () => {
      if (others.length > 0) return true;
      const isDone = await subjectPass(notes, {
        tokensBetween: (range) => tokensBetween(first, range),
        refresh: (subjects) => countSubjects(first, subjects),
      });
      if (isDone) await makeVisible(first);
      return isDone;
    },
    clear: async () => {
      const { live, phase } = await readIndexState(notes);
      // Another worker may have begun to fill it, or to let it answer.
      const isIdle = live !== options.generations[0] && (phase ?? CLEARING) === CLEARING;
      if (isIdle) await first.collection.update({ delete: { query: "*:*" } }, true);
      if (phase !== null) await setTerm(notes, null);
      return true;
    },
    // Solr merges by itself, but a rebuild ends with one segment, in which a search takes half of the time.
    merge: async (pass, position) => {
      if (pass !== "whole") return void (await each(makeVisible));
      return (await each(mergeSegments)).every(Boolean) || position >= MERGE_CALLS_MAX
        ? undefined
        : position + 1;
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
  const gone = deletes
    .filter(({ key }) => !key.startsWith("/books/"))
    .map(({ key, version }) => ({ id: key, version, documentOf: () => tombstone(key, version, seen) }));
  const works = all.filter(({ document }) => workIdOfKey(document.key, prefix) !== undefined);
  const writes = [...gone, ...(await workWrites(target, works, known?.words))];
  // A rebuild begins with nothing, and is seldom overtaken.
  const replaced = await writeAll(target, writes, { fields: OLD_FIELDS, areNew: !aggregates });
  if (aggregates && gone.length + works.length > 0) {
    await makeVisible(target);
    await followWorks(target, { works: works.map(({ document }) => document), replaced, gone });
  }
  await writeAll(target, await authorWrites(target, authors), { areNew: !aggregates });
  await writeAll(target, await listWrites(target, lists));
  if (aggregates) await makeVisible(target);
}

/** What is read of a document that is replaced. */
const OLD_FIELDS = ["no", "document", ...TRENDING_FIELDS];

/** Works with their trends: those that they have, else those of the other generation. Writes their words, too. */
async function workWrites(
  target: Target,
  works: readonly Versioned<WorkDocument>[],
  known?: Set<string>,
): Promise<Write[]> {
  const { prefix } = target;
  const elsewhere = await readTrends(target.other, works);
  const terms = new Set<string>();
  const writes = works.map(({ document, version }): Write => {
    const id = workIdOfKey(document.key, prefix) ?? 0;
    const rows = workRows(document, { id, version, prefix });
    for (const term of rows.terms) if (!known?.has(term)) terms.add(term);
    return {
      id: document.key,
      version,
      documentOf: (old) =>
        workDocument(rows, trendsOf(old?.["kind"] === "work" ? old : elsewhere.get(document.key))),
    };
  });
  await writeSpellings(target, terms, known);
  return writes;
}

/** What works trend by, of those that do, by key. */
async function readTrends(
  reader: SolrReader,
  works: readonly Versioned<WorkDocument>[],
): Promise<ReadonlyMap<string, Found>> {
  if (works.length === 0) return new Map();
  const keys = works.map(({ document }) => document.key);
  const isBusy = `{!frange l=0 incl=false v="sum(${[...HOUR_FIELDS, ...DAY_FIELDS].join(",")})"}`;
  const fields = ["id", ...TRENDING_FIELDS];
  const { docs } = await find(reader, "work", {
    query: `+${idsQuery(keys)} +${isBusy}`,
    fields,
    limit: works.length,
  });
  return new Map(docs.map((one) => [textIn(one, "id"), one]));
}

function trendsOf(found: Found = {}): Record<string, number> {
  return Object.fromEntries(TRENDING_FIELDS.map((field) => [field, numberIn(found, field) ?? 0]));
}

/**
 * Words may stay when no title has them any more: corrections look up how frequent they are. `known` are those that need no
 * second look.
 */
async function writeSpellings(
  target: Target,
  terms: ReadonlySet<string>,
  known: Set<string> | undefined,
): Promise<void> {
  const there = known === undefined ? await readNow(target, [...terms].map(spellingId), []) : new Map();
  const unknown = spellingTerms(terms).filter(({ term }) => !there.has(spellingId(term)));
  if (unknown.length > 0) await target.collection.update(unknown.map(spellingDocument), false);
  for (const term of terms) known?.add(term);
}

/** Counts the subjects and authors anew that works have or had. */
async function followWorks(
  target: Target,
  {
    works,
    replaced,
    gone,
  }: { works: readonly WorkDocument[]; replaced: readonly Found[]; gone: readonly Write[] },
): Promise<void> {
  const { prefix } = target;
  const old = replaced
    .filter((one) => one["kind"] === "work")
    // The field holds what `workDocument` made.
    .map((one) => [noOf(one), JSON.parse(textIn(one, "document")) as StoredWorkMembers] as const);
  const ids = [...gone.map(({ id }) => id), ...works.map(({ key }) => key)].flatMap(
    (key) => workIdOfKey(key, prefix) ?? [],
  );
  const { subjects } = changedSubjects(
    ids,
    new Map(old.map(([id, work]) => [id, subjectRows(work)])),
    new Map(works.map((work) => [workIdOfKey(work.key, prefix) ?? 0, subjectRows(work)])),
  );
  await countSubjects(target, subjects);
  const olids = [...works, ...old.map(([, work]) => work)].flatMap(({ author_key }) => author_key ?? []);
  await writeAll(target, await refreshedAuthors(target, authorKeys(olids)));
}

async function patchCounts(
  target: Target,
  patches: Parameters<SearchIndex["patchCounts"]>[0],
): Promise<number[]> {
  const keys = patches.map(({ id }) => keyOfWorkId(id, target.prefix));
  const found = await readNow(target, keys, ["n_edition_count"]);
  const fields = patches.flatMap(({ id, counts }) => {
    const work = found.get(keyOfWorkId(id, target.prefix));
    if (work?.["kind"] !== "work") return [];
    const boost = popularity({ edition_count: numberIn(work, "n_edition_count") ?? 0, counts });
    return [{ id, fields: readerFields(boost, counts) }];
  });
  await setFields(target, fields);
  // Nothing else goes by it here.
  return [];
}

interface Patch {
  readonly id: number;
  readonly fields: Readonly<Record<string, string | number | null>>;
}

async function patchWorks(target: Target, patches: readonly Patch[]): Promise<void> {
  const keys = patches.map(({ id }) => keyOfWorkId(id, target.prefix));
  const found = await readNow(target, keys, []);
  await setFields(
    target,
    patches.filter(({ id }) => found.get(keyOfWorkId(id, target.prefix))?.["kind"] === "work"),
  );
}

/** In place: the rest of a document, which Solr could not make again, stays as it is. */
async function setFields({ collection, prefix }: Target, patches: readonly Patch[]): Promise<void> {
  if (patches.length === 0) return;
  const documents = patches.map(({ id, fields }) => ({
    id: keyOfWorkId(id, prefix),
    ...Object.fromEntries(Object.entries(fields).map(([name, set]) => [name, { set }])),
  }));
  await collection.update(documents, true, { inPlace: true });
}

async function worksFound(reader: SolrReader, query: string, limit: number): Promise<number[]> {
  if (limit === 0) return [];
  return (await find(reader, "work", { query, fields: ["no"], limit })).docs.map(noOf);
}

function worksShowing(
  reader: SolrReader,
  { code, values, after, limit }: Parameters<SearchIndex["worksShowing"]>[0],
): Promise<number[]> {
  if (values.length === 0) return Promise.resolve([]);
  const tokens = values.map((value) => filterToken(code, value));
  return worksFound(reader, `+(${fieldIn("work_token", tokens)}) +no:{${after} TO *]`, limit);
}

async function namesShown(reader: SolrReader, keys: readonly string[]): Promise<Map<string, string>> {
  const found = await readNow(reader, keys, ["document"]);
  return new Map(
    [...found].flatMap(([key, one]) =>
      // The field holds what `authorRows` or `listRows` made.
      one["kind"] === "tombstone" ? [] : [[key, namesOf(JSON.parse(textIn(one, "document")))] as const],
    ),
  );
}

/** Works of which their documents, or those of their editions, are not what they should be. */
async function differing(
  target: Target,
  works: readonly Versioned<WorkDocument>[],
): Promise<Versioned<WorkDocument>[]> {
  const { prefix } = target;
  const found = await readNow(
    target,
    works.map(({ document }) => document.key),
    ["document", "compared"],
  );
  const ids = works.flatMap(({ document }) => workIdOfKey(document.key, prefix) ?? []);
  const { docs } = await find(target, "edition", {
    query: `(${fieldIn("work", ids)})`,
    sort: "work asc, n_rank asc",
    fields: ["work", "shown"],
    limit: RANGE_WORKS_MAX,
  });
  const byWork = Map.groupBy(docs, (one) => numberIn(one, "work"));
  return works.filter(({ document, version }) => {
    const id = workIdOfKey(document.key, prefix) ?? 0;
    const expected = workDocument(workRows(document, { id, version, prefix }), {});
    const stored = found.get(document.key);
    const own = (byWork.get(id) ?? []).map((one) => one["shown"]);
    const wanted = [
      expected["document"],
      expected["compared"],
      expected.editions.map((edition) => edition["shown"]),
    ];
    return JSON.stringify(wanted) !== JSON.stringify([stored?.["document"], stored?.["compared"], own]);
  });
}

import { SolrError } from "../../db/solr/client.ts";
import { readNamed } from "../../db/indexing/named-records.ts";
import { type IndexJob, putJobs } from "../../db/indexing/jobs.ts";
import type { SearchIndex, Update } from "../../search/engine.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import { logLine } from "../http/log.ts";
import {
  type WorkReads,
  NO_UPDATE,
  toAuthorsUpdate,
  buildListsUpdate,
  readWorkPages,
  toWorksUpdate,
} from "./build.ts";
import { type Indexing, timeFromNow } from "./indexing.ts";

export const RETRY_MS = 60_000;
/** Number of single failures after which the database itself counts as failing. */
const FAILURES_MAX = 3;

const SECOND_ATTEMPT_MS = 50;

/**
 * Writes an update. If the index rejects it, finds the rejected documents by bisection, stores jobs to retry them, and
 * writes all others: one bad document must not block the log. Throws if no document can be written.
 */
export async function applyToIndex(indexing: Indexing, update: Update, index: SearchIndex): Promise<void> {
  if (sizeOf(update) === 0) return;
  const attempt: Attempt = { indexing, index, written: 0, failed: [] };
  await writeOrSplit(update, attempt);
  await putJobs(indexing.search, attempt.failed);
}

interface Attempt {
  readonly indexing: Indexing;
  readonly index: SearchIndex;
  written: number;
  readonly failed: IndexJob[];
}

async function writeOrSplit(update: Update, attempt: Attempt): Promise<void> {
  try {
    await writeWhole(update, attempt);
  } catch (error) {
    if (error instanceof SolrError && !error.isRefusal) throw error;
    if (sizeOf(update) > 1) for (const half of halves(update)) await writeOrSplit(half, attempt);
    else await retryDocument(update, attempt, error);
  }
}

async function writeWhole(update: Update, attempt: Attempt): Promise<void> {
  await attempt.index.apply(update);
  attempt.written += sizeOf(update);
}

async function retryDocument(update: Update, attempt: Attempt, problem: unknown): Promise<void> {
  const { indexing, failed } = attempt;
  await scheduler.wait(SECOND_ATTEMPT_MS);
  try {
    await writeWhole(update, attempt);
  } catch {
    const job = jobOf(update, indexing);
    logLine("error", "index", { key: job.key, problem: "not written", error: String(problem) });
    failed.push(job);
    if (failed.length >= FAILURES_MAX && attempt.written === 0) throw problem;
  }
}

function sizeOf({ works, authors, lists, deletes }: Update): number {
  return works.length + authors.length + lists.length + deletes.length;
}

function halves(update: Update): Update[] {
  const size = sizeOf(update);
  const middle = Math.ceil(size / 2);
  return [sliceUpdate(update, 0, middle), sliceUpdate(update, middle, size)];
}

function sliceUpdate({ works, authors, lists, deletes }: Update, from: number, to: number): Update {
  let start = 0;
  const cut = <Element>(list: readonly Element[]): readonly Element[] => {
    const slice = list.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += list.length;
    return slice;
  };
  return { works: cut(works), authors: cut(authors), lists: cut(lists), deletes: cut(deletes) };
}

function jobOf({ works, authors, lists, deletes }: Update, indexing: Indexing): IndexJob {
  const [document] = [...works, ...authors, ...lists];
  const key = document?.document.key ?? deletes[0]?.key ?? "";
  const change = document?.version ?? deletes[0]?.version ?? 0;
  return { kind: "document", key, position: 0, due: timeFromNow(indexing, RETRY_MS), change };
}

/** Reindexes works, and with them `authors`, an update of authors whose sums include them. */
export async function indexWorks(
  indexing: Indexing,
  ids: Iterable<number>,
  { index, authors = NO_UPDATE, ...reads }: WorkReads & { index: SearchIndex; authors?: Update },
): Promise<void> {
  let last = NO_UPDATE;
  for await (const works of readWorkPages(indexing, [...ids], reads)) {
    await applyToIndex(indexing, last, index);
    last = toWorksUpdate(indexing, works);
  }
  const deletes = [...last.deletes, ...authors.deletes];
  await applyToIndex(indexing, { ...last, authors: authors.authors, deletes }, index);
}

/** Reindexes authors. Call after their works, because their sums are computed from these. */
export async function indexAuthors(indexing: Indexing, keys: readonly string[], index: SearchIndex) {
  for await (const { keys: group, page } of readNamed(indexing.catalog, keys)) {
    await applyToIndex(indexing, toAuthorsUpdate(page, group), index);
  }
}

/** Reindexes lists and series. Call after their works, because they show the subjects of these. */
export async function indexLists(indexing: Indexing, keys: readonly string[], index: SearchIndex) {
  for await (const { keys: group, page } of readNamed(indexing.catalog, keys)) {
    await applyToIndex(indexing, await buildListsUpdate(indexing, page, group), index);
  }
}

export async function indexKeys(indexing: Indexing, keys: readonly string[], index: SearchIndex) {
  const works = new Set(keys.flatMap((key) => workIdOfKey(key, indexing.prefix) ?? []));
  const authors = keys.filter((key) => key.startsWith("/authors/"));
  const lists = keys.filter((key) => /\/(?:lists|series)\//.test(key));
  await indexWorks(indexing, works, { index });
  await indexAuthors(indexing, authors, index);
  await indexLists(indexing, lists, index);
}

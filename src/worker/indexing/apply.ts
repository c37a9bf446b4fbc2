import { SolrError } from "../../db/solr/client.ts";
import { readNamed } from "../../db/indexing/named-records.ts";
import { type IndexJob, putJobs } from "../../db/indexing/jobs.ts";
import type { SearchIndex, Update } from "../../search/engine.ts";
import { workIdOfKey } from "../../search/indexing/ids.ts";
import { logLine } from "../http/log.ts";
import { authorsOfPage, listsOfPage, readPages, worksUpdate } from "./build.ts";
import { type Indexing, timeFromNow } from "./indexing.ts";

/** How long a document waits that the index did not take, in milliseconds. */
export const RETRY_MS = 60_000;
/** Documents that fail one by one before the database itself is taken to be the reason. */
const FAILURES_MAX = 3;

/** How long a document that was not taken waits before it is tried once more, in milliseconds. */
const SECOND_ATTEMPT_MS = 50;

/**
 * Writes an update. When the index does not take it, the documents that it does not take are found, stored as jobs
 * for later, and all others written: one bad document must not hold up the log. Throws when none can be written.
 */
export async function apply(indexing: Indexing, update: Update, index: SearchIndex): Promise<void> {
  if (sizeOf(update) === 0) return;
  const attempt: Attempt = { indexing, index, written: 0, failed: [] };
  await write(update, attempt);
  await putJobs(indexing.search, attempt.failed);
}

interface Attempt {
  readonly indexing: Indexing;
  readonly index: SearchIndex;
  written: number;
  readonly failed: IndexJob[];
}

async function write(update: Update, attempt: Attempt): Promise<void> {
  try {
    await writeWhole(update, attempt);
  } catch (error) {
    if (error instanceof SolrError && !error.isRefusal) throw error;
    if (sizeOf(update) > 1) for (const half of halves(update)) await write(half, attempt);
    else await writeAgain(update, attempt, error);
  }
}

async function writeWhole(update: Update, attempt: Attempt): Promise<void> {
  await attempt.index.apply(update);
  attempt.written += sizeOf(update);
}

/** One document once more: what failed for a reason of the moment passes now. */
async function writeAgain(update: Update, attempt: Attempt, problem: unknown): Promise<void> {
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

/** Two updates of about half the documents. */
function halves(update: Update): Update[] {
  const size = sizeOf(update);
  const middle = Math.ceil(size / 2);
  return [part(update, 0, middle), part(update, middle, size)];
}

/** The documents of an update from one place to another, counted over all its lists. */
function part({ works, authors, lists, deletes }: Update, from: number, to: number): Update {
  let start = 0;
  const cut = <Element>(list: readonly Element[]): readonly Element[] => {
    const slice = list.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += list.length;
    return slice;
  };
  return { works: cut(works), authors: cut(authors), lists: cut(lists), deletes: cut(deletes) };
}

/** Asks for a document again, by its key. */
function jobOf({ works, authors, lists, deletes }: Update, indexing: Indexing): IndexJob {
  const [document] = [...works, ...authors, ...lists];
  const key = document?.document.key ?? deletes[0]?.key ?? "";
  const change = document?.version ?? deletes[0]?.version ?? 0;
  return { kind: "document", key, position: 0, due: timeFromNow(indexing, RETRY_MS), change };
}

/** Builds works anew, by their numbers in the index, and writes them. */
export async function indexWorks(
  indexing: Indexing,
  ids: Iterable<number>,
  index: SearchIndex,
): Promise<void> {
  for await (const works of readPages(indexing, [...ids])) {
    await apply(indexing, worksUpdate(indexing, works), index);
  }
}

/** Builds authors anew. After their works, because their sums are made of these. */
export async function indexAuthors(
  indexing: Indexing,
  keys: readonly string[],
  index: SearchIndex,
): Promise<void> {
  for await (const { keys: own, page } of readNamed(indexing.catalog, keys)) {
    await apply(indexing, authorsOfPage(page, own), index);
  }
}

/** Builds lists and series anew. After their works, because they show what these are about. */
export async function indexLists(
  indexing: Indexing,
  keys: readonly string[],
  index: SearchIndex,
): Promise<void> {
  for await (const { keys: own, page } of readNamed(indexing.catalog, keys)) {
    await apply(indexing, await listsOfPage(indexing, page, own), index);
  }
}

/** Builds documents of any kind anew, by their keys; other keys are passed over. */
export async function indexKeys(
  indexing: Indexing,
  keys: readonly string[],
  index: SearchIndex,
): Promise<void> {
  const works = keys.flatMap((key) => workIdOfKey(key, indexing.prefix) ?? []);
  const authors = keys.filter((key) => key.startsWith("/authors/"));
  const lists = keys.filter((key) => /\/(?:lists|series)\//.test(key));
  await indexWorks(indexing, works, index);
  await indexAuthors(indexing, authors, index);
  await indexLists(indexing, lists, index);
}

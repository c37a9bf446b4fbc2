import { applyUpdate } from "../../db/search/apply.ts";
import { type IndexJob, putJobs } from "../../db/search/jobs.ts";
import type { Generation } from "../../db/search/generation.ts";
import type { Update } from "../../search/engine.ts";
import { logLine } from "../log.ts";
import { type Indexing, timeFromNow } from "./indexing.ts";

/** How long a document waits that the index did not take, in milliseconds. */
export const RETRY_MS = 60_000;
/** Documents that fail one by one before the database itself is taken to be the reason. */
const FAILURES_MAX = 3;

/** How long a document that was not taken waits before it is tried once more, in milliseconds. */
const SECOND_ATTEMPT_MS = 50;

/** How an update is written. */
export interface Writing {
  readonly generations: readonly Generation[];
  /** Whether subjects and authors of the works are counted anew; a rebuild does that at its end. */
  readonly aggregates: boolean;
}

/**
 * Writes an update. When the index does not take it, the documents that it does not take are found, stored as jobs
 * for later, and all others written: one bad document must not hold up the log. Throws when none can be written.
 */
export async function apply(indexing: Indexing, update: Update, writing: Writing): Promise<void> {
  if (sizeOf(update) === 0) return;
  const attempt: Attempt = { indexing, writing, written: 0, failed: [] };
  await write(update, attempt);
  await putJobs(indexing.search, attempt.failed);
}

interface Attempt {
  readonly indexing: Indexing;
  readonly writing: Writing;
  written: number;
  readonly failed: IndexJob[];
}

async function write(update: Update, attempt: Attempt): Promise<void> {
  try {
    await writeWhole(update, attempt);
  } catch (error) {
    if (sizeOf(update) > 1) for (const half of halves(update)) await write(half, attempt);
    else await writeAgain(update, attempt, error);
  }
}

async function writeWhole(update: Update, attempt: Attempt): Promise<void> {
  const { search, prefix, now } = attempt.indexing;
  await applyUpdate(search, update, { ...attempt.writing, prefix, now: now() });
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

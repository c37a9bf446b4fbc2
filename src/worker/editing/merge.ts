import { datetimeText } from "../../catalog/datetime.ts";
import { MERGE_RULES } from "../../catalog/editing/merge-rules.ts";
import type { CatalogRecord, JsonObject } from "../../catalog/record.ts";
import { readJobRecords, endJob, openJob, touchJob } from "../../db/editing/merge-jobs.ts";
import type { SaveResult, SavedRecord } from "../../db/editing/request.ts";
import type { Database } from "../../db/statement.ts";
import { type ChangeRequest, writeError } from "../history/edit-desk.ts";
import { badData } from "../http/errors.ts";
import { noteMerge } from "./merge-note.ts";
import { type MergeLimits, type MergeStep, type MergeTask, readStep } from "./merge-step.ts";

/**
 * Attempts to save a change of a merge after concurrent edits, and the wait in milliseconds, which grows with each
 * attempt.
 */
const MERGE_ATTEMPTS = 20;
const MERGE_WAIT_MS = 5;

/** Time budget of a request, and of one run of the sweep, for a large merge, in milliseconds. */
export const MERGE_BUDGET_MS = 20_000;

/** Dependencies of a merge. */
export interface Merging {
  /** The primary: a merge must see the records that it saved. */
  readonly catalog: Database;
  readonly prefix: string;
  save(request: ChangeRequest): Promise<SaveResult>;
  /** Returns the current time in milliseconds since the epoch. */
  now(): number;
  /** Time when a merge of many changes leaves the rest to another call, in milliseconds since the epoch. */
  readonly deadline: number;
  /** Limits; the service's own if absent. */
  readonly limits?: MergeLimits;
}

/** Outcome of a call: the merge is done, or its time was over and the job continues. */
type MergeOutcome =
  | { readonly isDone: true; readonly saved: readonly SavedRecord[] }
  | { readonly isDone: false; readonly job: number };

/**
 * Merges records: in one change if they and the records that name them fit, else as a job, page by page. A job may be
 * interrupted anywhere: the remaining work is read from the records each time, so a repeated call by any user resumes
 * it. Throws the reason if the records cannot be merged.
 */
export async function merge(merging: Merging, task: MergeTask): Promise<MergeOutcome> {
  const progress: Progress = { job: undefined, failed: undefined, failures: 0, saved: [] };
  for (;;) {
    const step = await readStep(merging.catalog, task, merging.limits);
    if ("problem" in step) throw await ended(merging, progress.job ?? step.job, step.problem);
    progress.job ??= step.job;
    if (step.documents.length === 0) return done(merging, task, progress);
    if (!step.isLast) progress.job ??= await openJob(merging.catalog, task, time(merging));
    // Another merge of one of these records began in between: the next reading finds it.
    if (step.isLast || progress.job !== undefined) await saveStep(merging, { task, step }, progress);
    if (progress.job === undefined) continue;
    if (progress.failures === 0) await touchJob(merging.catalog, progress.job, time(merging));
    if (merging.now() >= merging.deadline) return { isDone: false, job: progress.job };
  }
}

/** Progress of one call. */
interface Progress {
  job: number | undefined;
  /** State for which the last change was refused, and number of consecutive refusals. */
  failed: string | undefined;
  failures: number;
  readonly saved: SavedRecord[];
}

/** Saves a step. A refused step is read again, unless nothing has changed since: then the error is thrown. */
async function saveStep(
  merging: Merging,
  { task, step }: { readonly task: MergeTask; readonly step: MergeStep },
  progress: Progress,
): Promise<void> {
  const result = await merging.save(changeOf(task, step, progress.job));
  if (result.ok) {
    // Otherwise the same step would repeat endlessly.
    if (result.saved.length === 0) throw new Error("a step of a merge that changed nothing");
    progress.saved.push(...result.saved);
    progress.failures = 0;
    return;
  }
  progress.failures += 1;
  const state = JSON.stringify(step.expected);
  const isHopeless = state === progress.failed || progress.failures === MERGE_ATTEMPTS;
  const error = writeError(result.failures);
  if (isHopeless || error.status >= 500) {
    const isForGood = error.status < 500 && error.code !== "conflict";
    if (isForGood) await end(merging, progress.job, error.message);
    throw error;
  }
  progress.failed = state;
  await scheduler.wait(progress.failures * MERGE_WAIT_MS);
}

function changeOf(task: MergeTask, step: MergeStep, job: number | undefined): ChangeRequest {
  const { kind, note } = task;
  const { documents, expected } = step;
  const data: JsonObject = {
    master: task.master,
    duplicates: [...step.duplicates],
    ...(kind === "work" ? { mrid: note.mrid } : {}),
    ...(job === undefined ? {} : { job }),
  };
  const ofWorks = note.mrid === null ? "Merge works" : `Merge works (MRID: ${note.mrid})`;
  const comment = kind === "author" ? "merge authors" : ofWorks;
  return { documents, expected, kind: MERGE_RULES[kind].change, comment, data };
}

async function done(merging: Merging, task: MergeTask, { job, saved }: Progress): Promise<MergeOutcome> {
  // All of this before the job ends, so that a crash repeats it.
  await noteMerge(merging.catalog, task, { now: merging.now(), prefix: merging.prefix });
  if (job === undefined) return { isDone: true, saved };
  const records = await readJobRecords(merging.catalog, job);
  await end(merging, job, null);
  return { isDone: true, saved: records };
}

async function ended(merging: Merging, job: number | undefined, problem: CatalogRecord): Promise<Error> {
  const { message, ...more } = problem;
  await end(merging, job, String(message));
  return badData(String(message), more);
}

async function end(merging: Merging, job: number | undefined, problem: string | null): Promise<void> {
  if (job !== undefined) await endJob(merging.catalog, job, { problem, now: time(merging) });
}

function time(merging: Merging): string {
  return datetimeText(merging.now());
}

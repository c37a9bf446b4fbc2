import { type MergeLimits, type MergeStep, type MergeTask, readStep } from "./merge-step.ts";
import { english } from "../../catalog/texts.ts";
import { failure, Failure } from "../http/failure.ts";
import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type MergeKind, MERGE_RULES, parseMergeOrder } from "../../catalog/editing/merge-rules.ts";
import type { JsonObject } from "../../catalog/record.ts";
import { readJobRecords, readIdleJob, endJob, openJob, touchJob } from "../../db/editing/merge-jobs.ts";
import type { SaveResult, SavedRecord, Writer } from "../../db/editing/request.ts";
import type { Database } from "../../db/statement.ts";
import { type ChangeRequest, writeError, saveAs } from "./edit-desk.ts";
import { recordMerge } from "./merge-note.ts";
import { hasRole } from "../../catalog/roles.ts";
import { logLine } from "../http/log.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import type { BudgetedJobs } from "../http/queue.ts";
import { actorOf } from "../http/session.ts";
import { revisionSchema } from "../history/change-entry.ts";
import { completeSave, trySave } from "./save-change.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { audit } from "../platform/audit.ts";

/** Attempts to save a change of a merge, and the wait between them in milliseconds, which grows with each attempt. */
const MERGE_ATTEMPTS = 20;
const MERGE_WAIT_MS = 5;

/** Time budget for a large merge per request, in milliseconds. */
const MERGE_BUDGET_MS = 20_000;

export interface MergeContext {
  /** The primary: a merge must see the records that it saved. */
  readonly catalog: Database;
  readonly prefix: string;
  save(request: ChangeRequest): Promise<SaveResult>;
  now(): number;
  /** Returns true when a merge leaves the rest to another call. */
  isOver(): boolean;
  /** Overrides the limits of a change, for tests. */
  readonly limits?: MergeLimits;
}

type MergeOutcome = { isDone: true; saved: readonly SavedRecord[] } | { isDone: false; job: number };

/**
 * Merges records: as one change if they and the records that name them fit, or else as a job, page by page. A job may be
 * interrupted anywhere: each step reads the remaining work from the records, so that a repeated call by any user resumes
 * it. Throws the reason if the records cannot be merged.
 */
export async function merge(merging: MergeContext, task: MergeTask): Promise<MergeOutcome> {
  const { catalog, prefix } = merging;
  const progress: Progress = { job: undefined, failed: undefined, failures: 0, saved: [] };
  for (;;) {
    const step = await readStep(catalog, task, merging.limits);
    progress.job ??= step.job;
    if ("problem" in step) {
      const { text, ...members } = step.problem;
      await endMerge(merging, progress.job, english(text));
      throw failure(text.key, text.values, { members });
    }
    if (step.documents.length === 0) {
      // Before the job ends, so that it is repeated after a crash.
      await recordMerge(catalog, task, { now: merging.now(), prefix });
      const { job } = progress;
      const saved = job === undefined ? progress.saved : await readJobRecords(catalog, job);
      await endMerge(merging, job, null);
      return { isDone: true, saved };
    }
    if (!step.isLast) progress.job ??= await openJob(catalog, task, time(merging));
    // Without a job, another merge of these records has begun in between: the next step finds it.
    if (step.isLast || progress.job !== undefined) await saveStep(merging, { task, step }, progress);
    if (progress.job === undefined) continue;
    if (progress.failures === 0) await touchJob(catalog, progress.job, time(merging));
    if (merging.isOver()) return { isDone: false, job: progress.job };
  }
}

interface Progress {
  job: number | undefined;
  /** Revisions for which the last change was refused, as JSON, and number of consecutive refusals. */
  failed: string | undefined;
  failures: number;
  saved: SavedRecord[];
}

/** Saves a step. After a refusal the caller reads the step again; throws if nothing has changed since the last one. */
async function saveStep(
  merging: MergeContext,
  { task, step }: { task: MergeTask; step: MergeStep },
  progress: Progress,
): Promise<void> {
  const result = await merging.save(changeOf(task, step, progress.job));
  if (result.ok) {
    // Prevents an endless loop over the same step.
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
    const isPermanent = error.status < 500 && error.code !== "conflict";
    if (isPermanent) await endMerge(merging, progress.job, error.message);
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
  const workComment = note.mrid === null ? "Merge works" : `Merge works (MRID: ${note.mrid})`;
  const comment = kind === "author" ? "merge authors" : workComment;
  return { documents, expected, kind: MERGE_RULES[kind].change, comment, data };
}

async function endMerge(
  merging: MergeContext,
  job: number | undefined,
  problem: string | null,
): Promise<void> {
  if (job !== undefined) await endJob(merging.catalog, job, { problem, now: time(merging) });
}

function time(merging: MergeContext): string {
  return formatDatetime(merging.now());
}

/** Idle time after which the sweep resumes a job, in milliseconds: longer than a request works on one. */
const MERGE_IDLE_MS = 60_000;

/** Resumes the merge that has been idle longest, if its author still has permission. Returns true if more may remain. */
export async function continueMerges({ stores, settings, sources, budget }: BudgetedJobs): Promise<boolean> {
  const now = sources.now();
  const job = await readIdleJob(stores.catalog, formatDatetime(now - MERGE_IDLE_MS));
  if (job === undefined) return false;
  // Comes first, so that a job that always fails does not block the others.
  await touchJob(stores.catalog, job.id, formatDatetime(now));
  const { author, kind, ip } = job;
  const actor = await actorOf({ stores }, { username: author.slice("/people/".length), key: author });
  if (actor.status !== "active" || !hasRole(actor, kind === "author" ? "librarian" : "super-librarian")) {
    const problem = "its author no longer has permission to merge records";
    await endJob(stores.catalog, job.id, { problem, now: formatDatetime(now) });
    return true;
  }
  const writer: Writer = { author: actor.key, bot: actor.bot, ip, authority: "user" };
  const merging: MergeContext = {
    catalog: stores.catalog,
    prefix: settings.RECORD_PREFIX,
    save: (change) => saveAs(writer, { stores, sources }, change),
    now: () => sources.now(),
    isOver: () => budget.isOver(),
  };
  try {
    await merge(merging, job);
  } catch (error) {
    // The job has recorded a permanent failure; other errors are retried.
    if (!(error instanceof Failure)) throw error;
    logLine("error", "merge", { job: job.id, problem: error.message });
  }
  return true;
}

export const MERGE_DUPLICATES_MAX = 500;
/** Maximum length of a comment on a merge request, in UTF-16 units. */
export const MERGE_COMMENT_LENGTH = 2000;

const body = z
  .object({
    master: z.string().describe("Key of the record to keep"),
    duplicates: z
      .array(z.string())
      .max(MERGE_DUPLICATES_MAX)
      .describe("Keys of the records to merge into it"),
    mrid: z.string().nullish().describe("Number of the merge request to close"),
    comment: z.string().max(MERGE_COMMENT_LENGTH).nullish().describe("Comment on the merge request"),
    olids: z
      .string()
      .max(MERGE_DUPLICATES_MAX * 20)
      .default("")
      .describe("Numbers of the records, for a new merge request if `mrid` is absent"),
  })
  .meta({ id: "MergeAuthorsBody" });
const refused = z.object({ detail: z.looseObject({ error: z.string(), message: z.string() }) });

export const mergeAuthors = mergeOperation("mergeAuthors", "author");
export const mergeWorks = mergeOperation("mergeWorks", "work");

function mergeOperation(id: string, kind: MergeKind) {
  return operation({
    id,
    summary: `Merge duplicate ${kind}s`,
    tag: "editing",
    json: body,
    responses: {
      200: { description: "Saved records", schema: z.array(revisionSchema) },
      400: { description: "Refused, or continued in the background", schema: refused },
    },
    async handle({ json: { master, duplicates, mrid, comment, olids } }, context) {
      const note = { mrid: mrid ?? null, comment: comment ?? null, olids };
      const records = await mergeNow({ kind, master, duplicates, note }, context).catch(throwAsDetail);
      return json(records, { cacheControl: NO_STORE });
    },
  });
}

/** Merges records for the user of the request. Throws 400 with the reason if this fails or takes too long. */
export async function mergeNow(
  request: Omit<MergeTask, "author" | "ip">,
  context: RequestContext,
): Promise<readonly SavedRecord[]> {
  const { kind, note } = request;
  const order = parseMergeOrder(request, MERGE_RULES[kind]);
  if ("problem" in order) throw failure(order.problem.key, order.problem.values);
  const { key } = await context.actor();
  if (key === null) throw new Error("a merge without an actor");
  const { stores, settings, sources } = context;
  const outcome = await merge(
    {
      catalog: stores.catalog,
      prefix: settings.RECORD_PREFIX,
      async save(change) {
        const result = await trySave(context, change);
        if (result.ok) completeSave(context, result);
        return result;
      },
      now: () => sources.now(),
      isOver: () => sources.now() >= context.now + MERGE_BUDGET_MS,
    },
    { kind, ...order, note, author: key, ip: context.client },
  );
  const details = { duplicates: order.duplicates.length, done: outcome.isDone };
  await audit(context, { event: "merged", subject: order.master, details });
  if (outcome.isDone) return outcome.saved;
  // Q116: the interface has no 202. A repeated request reports when the merge is done.
  const members = { job: outcome.job };
  throw failure("bad_data.merge_job", members, { members });
}

/** Throws refusals as a 400 with the error of the record store in `detail`, as FastAPI does (Q115). */
function throwAsDetail(error: unknown): never {
  if (!(error instanceof Failure) || error.status >= 500 || error.body === null) throw error;
  throw new Failure(400, error.code, {
    ...error,
    message: error.message,
    body: "detail" in error.body ? error.body : { detail: error.body },
    headers: {},
  });
}

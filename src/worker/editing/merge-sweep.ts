import { datetimeText } from "../../catalog/datetime.ts";
import type { Writer } from "../../db/editing/request.ts";
import { type MergeJob, idleJob, endJob, touchJob } from "../../db/editing/merge-jobs.ts";
import { saveAs } from "../history/edit-desk.ts";
import { hasRole } from "../../catalog/roles.ts";
import type { Stores } from "../http/bindings.ts";
import { CarrelError } from "../http/errors.ts";
import { logLine } from "../http/log.ts";
import type { Actor } from "../http/operation.ts";
import type { Jobs } from "../http/queue.ts";
import { actorOf } from "../http/session.ts";
import { type Merging, MERGE_BUDGET_MS, merge } from "./merge.ts";

/** Idle time after which the sweep resumes a job, in milliseconds: longer than any request works on one. */
const MERGE_IDLE_MS = 60_000;

/**
 * Resumes the merge that has been idle longest, if its author still has permission. Returns true if more may remain.
 */
export async function continueMerges({ stores, settings, sources }: Jobs): Promise<boolean> {
  const now = sources.now();
  const job = await idleJob(stores.catalog, datetimeText(now - MERGE_IDLE_MS));
  if (job === undefined) return false;
  // First of all, so that a job that always fails does not block the others.
  await touchJob(stores.catalog, job.id, datetimeText(now));
  const actor = await mergerOf(stores, job);
  if (actor === undefined) {
    const problem = "its author may not merge records any more";
    await endJob(stores.catalog, job.id, { problem, now: datetimeText(now) });
    return true;
  }
  const writer: Writer = { author: actor.key, bot: actor.bot, ip: job.ip, authority: "user" };
  const merging: Merging = {
    catalog: stores.catalog,
    prefix: settings.RECORD_PREFIX,
    save: (change) => saveAs(writer, { stores, sources }, change),
    now: () => sources.now(),
    deadline: now + MERGE_BUDGET_MS,
  };
  try {
    await merge(merging, job);
  } catch (error) {
    // The job has recorded permanent failures; other errors are retried.
    if (!(error instanceof CarrelError)) throw error;
    logLine("error", "merge", { job: job.id, problem: error.message });
  }
  return true;
}

/** Returns the author of a job, if they may still merge such records. */
async function mergerOf(stores: Stores, { author, kind }: MergeJob): Promise<Actor | undefined> {
  const actor = await actorOf({ stores }, { username: author.slice("/people/".length), key: author });
  const isAllowed = hasRole(actor, kind === "author" ? "librarian" : "super-librarian");
  return actor.status === "active" && isAllowed ? actor : undefined;
}

import { datetimeText } from "../../catalog/datetime.ts";
import { type MergeJob, endJob, idleJob, touchJob } from "../../db/merges/jobs.ts";
import { findAccount } from "../../db/patrons/find-account.ts";
import { ADMIN_USER } from "../../db/permissions/permissions.ts";
import { readGroups } from "../../db/records/read-groups.ts";
import type { Settings, Sources, Stores } from "../context.ts";
import { CarrelError } from "../errors.ts";
import { logLine } from "../log.ts";
import { hasRole } from "../sessions/access.ts";
import type { Actor } from "../sessions/actor.ts";
import { merge } from "./merge.ts";
import { sweepSaver } from "./savers.ts";

/** How long a request goes on with a large merge, and how long one run of the sweep does, in milliseconds. */
export const MERGE_BUDGET_MS = 20_000;
/** After how long a job counts as left alone, in milliseconds: longer than any request works on one. */
export const MERGE_IDLE_MS = 60_000;

/** What the sweep works with. */
export interface MergeSweep {
  readonly stores: Stores;
  readonly settings: Settings;
  readonly sources: Sources;
}

/**
 * Goes on with the merge that was left alone for longest. Returns true when there is more to do. Its author must still
 * be one who may merge.
 */
export async function continueMerges({ stores, settings, sources }: MergeSweep): Promise<boolean> {
  const now = sources.now();
  const job = await idleJob(stores.catalog, datetimeText(now - MERGE_IDLE_MS));
  if (job === undefined) return false;
  // First of all, so that a job that always breaks off does not keep the others from their turn.
  await touchJob(stores.catalog, job.id, datetimeText(now));
  const actor = await actorOf(stores, job);
  if (actor === undefined) {
    const problem = "its author may not merge records any more";
    await endJob(stores.catalog, job.id, { problem, now: datetimeText(now) });
    return true;
  }
  const save = sweepSaver(stores, sources, { actor, ip: job.ip });
  const merging = {
    catalog: stores.catalog,
    prefix: settings.RECORD_PREFIX,
    save,
    now: () => sources.now(),
    deadline: now + MERGE_BUDGET_MS,
  };
  try {
    await merge(merging, job);
  } catch (error) {
    // The job has noted what is for good; anything else is tried again.
    if (!(error instanceof CarrelError)) throw error;
    logLine("error", "merge", { job: job.id, problem: error.message });
  }
  return true;
}

async function actorOf({ patrons, catalog }: Stores, job: MergeJob): Promise<Actor | undefined> {
  const username = job.author.slice("/people/".length);
  const account = await findAccount(patrons, { username });
  if (account === undefined || account.status !== "active") return undefined;
  const groups = new Set(await readGroups(catalog, job.author));
  if (job.author === ADMIN_USER) groups.add("/usergroup/admin");
  const { bot, email } = account;
  const actor: Actor = { key: job.author, username, status: "active", bot, groups, email };
  return hasRole(actor, job.kind === "author" ? "librarian" : "super-librarian") ? actor : undefined;
}

import * as z from "zod";
import {
  type Removal,
  dueRemovals,
  endRemoval,
  noteRemoval,
  readRemoval,
} from "../../db/patrons/removals.ts";
import { readRecord } from "../../db/records/read.ts";
import { type Jobs, jobKind, sendPatronJob, sweepJobs } from "../http/queue.ts";
import { patronOf } from "../http/session.ts";
import { removeAll } from "./remove-account.ts";

/** Kind of the message that has an account removed. */
export const REMOVAL_KIND = "removal";
/**
 * After how long an account is looked through again, in milliseconds: what requests and messages brought that were on their
 * way when it was removed goes then. Longer than any request works.
 */
export const REMOVAL_AGAIN_MS = 120_000;
/** After how long a removal counts as left alone, in milliseconds, and how many of these one sweep takes up. */
export const REMOVAL_IDLE_MS = 60_000;
export const REMOVALS_SWEPT = 5;

/** Messages about one account that is being removed. */
export const removalJob = jobKind(z.object({ id: z.int() }), async ({ id }, jobs) => {
  const removal = await readRemoval(jobs.stores.patrons, id);
  // The second time has its hour.
  if (removal === undefined || (removal.isSwept && removal.due > jobs.sources.now())) return;
  await workOn(removal, jobs);
});

async function workOn(removal: Removal, jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const { id, isSwept } = removal;
  const isDone = await removeAll(removal, jobs);
  if (isDone && isSwept) return end(removal, jobs);
  const wait = isDone ? REMOVAL_AGAIN_MS : 0;
  const due = sources.now() + (isDone ? REMOVAL_AGAIN_MS : REMOVAL_IDLE_MS);
  await noteRemoval(stores.patrons, { id, isSwept: isSwept || isDone, due });
  await sendPatronJob(stores.patronJobs, { kind: REMOVAL_KIND, id }, wait / 1000);
}

/** A name that the catalog has never seen can be had again; any other belongs to what its owner has written. */
async function end({ id, username }: Removal, { stores }: Jobs): Promise<void> {
  const user = await readRecord(stores.catalog, `/people/${username}`);
  if (user === undefined) await patronOf(stores, username).upkeep.reopen();
  await endRemoval(stores.patrons, id);
}

/** The sweep: goes on with removals whose messages were lost, and looks through those again whose hour has come. */
export async function continueRemovals(jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const found = await dueRemovals(stores.patrons, sources.now(), REMOVALS_SWEPT);
  await sweepJobs({ kind: REMOVAL_KIND, found, sources }, async (id) => {
    const removal = await readRemoval(stores.patrons, id);
    if (removal === undefined) return;
    await noteRemoval(stores.patrons, { ...removal, due: sources.now() + REMOVAL_IDLE_MS });
    await workOn(removal, jobs);
  });
}

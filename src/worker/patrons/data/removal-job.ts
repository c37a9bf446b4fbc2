import * as z from "zod";
import { parseDocument } from "../../../catalog/document.ts";
import {
  blankOwnRevisions,
  emptyOwnChanges,
  renameChanges,
  renameElsewhere,
} from "../../../db/history/forget-author.ts";
import { type Subscriber, readSubscribers } from "../../../db/patrons/follows.ts";
import { forgetAccount, renameInMerges, renameWorks } from "../../../db/patrons/forget.ts";
import { endRemoval, noteRemoval } from "../../../db/patrons/write-jobs.ts";
import { dueRemovals, readRemoval } from "../../../db/patrons/read-jobs.ts";
import type { Removal } from "../../../db/patrons/rows.ts";
import { readRecord, readRecords } from "../../../db/records/read.ts";
import { type BelowRow, readBelow, readGroups } from "../../../db/records/users.ts";
import { membersOf } from "../../accounts/last-admin.ts";
import { unlessRemoved } from "../../accounts/unless-removed.ts";
import { saveAsService } from "../../editing/edit-desk.ts";
import { lendingOf } from "../../holdings/lending-of.ts";
import { jobKind, sweepJobs } from "../../http/patron-job.ts";
import { type Jobs, JOB_BUDGET_MS } from "../../http/queue.ts";
import { patronOf } from "../../http/session.ts";

/** Records of a user that are deleted as one change. */
const FORGOTTEN_RECORDS = 100;
const DELETED = { key: "/type/delete" };

/**
 * Removes a user from all groups, including their own, so that no account can write below their key, and deletes their
 * lists and record. Throws errors that a retry can resolve, such as concurrent edits. Finished steps are not repeated.
 */
async function forgetRecords(jobs: Jobs, username: string): Promise<void> {
  const key = `/people/${username}`;
  await leaveGroups(jobs, key);
  const own = new Set([`${key}/usergroup`, `${key}/permission`]);
  for (let after = ""; ;) {
    const found = await readBelow(jobs.stores.catalog, `${key}/`, { after, limit: FORGOTTEN_RECORDS });
    const last = found.at(-1);
    if (last === undefined) break;
    const gone = found.filter((row) => !own.has(row.key));
    const lists = gone.filter(({ type }) => type === "/type/list");
    await deleteAll(jobs, lists, "delete-list");
    const others = gone.filter((row) => !lists.includes(row));
    await deleteAll(jobs, others, "delete-profile");
    after = last.key;
  }
  const [user] = await readRecords(jobs.stores.catalog, [key]);
  if (user !== undefined && user.type !== DELETED.key) await deleteAll(jobs, [user], "delete-profile");
}

async function leaveGroups(jobs: Jobs, person: string): Promise<void> {
  const { catalog } = jobs.stores;
  const groups = await readGroups(catalog, person);
  for (const { key, revision, document } of await readRecords(catalog, groups)) {
    const stored = parseDocument(document);
    const members = membersOf(stored)
      .filter((member) => member !== person)
      .map((member) => ({ key: member }));
    const kind = "edit-usergroup-delete-member";
    await saveAsService(jobs, { kind, documents: [{ ...stored, members }], expected: { [key]: revision } });
  }
}

async function deleteAll(jobs: Jobs, found: readonly Pick<BelowRow, "key" | "revision">[], kind: string) {
  if (found.length === 0) return;
  const documents = found.map(({ key }) => ({ key, type: DELETED }));
  const expected = Object.fromEntries(found.map(({ key, revision }) => [key, revision]));
  await saveAsService(jobs, { kind, documents, expected });
}

/** Works moved to the anonymous name together, and followers updated concurrently. */
export const RENAMED_WORKS = 200;
const UNFOLLOWING_PATRONS = 20;

/**
 * Removes all data of an account. Returns false if the time budget ran out. Each step finds its remaining work itself,
 * so it can break off anywhere and be restarted, by two workers at a time too.
 */
export async function removeAll(removal: Removal, jobs: Jobs): Promise<boolean> {
  const { stores, sources } = jobs;
  const { username, anonymous } = removal;
  const deadline = sources.now() + JOB_BUDGET_MS;
  await patronOf(stores, username).upkeep.seal();
  // Directly after the seal, so that nothing can be written below the account's key any more.
  await forgetRecords(jobs, username);
  await lendingOf({ ...jobs, now: sources.now(), client: "local" }).forget({ username });
  if (!(await leaveFollowers(jobs, username, deadline))) return false;
  if (!(await leaveWorks(jobs, removal, deadline))) return false;
  if (!(await leaveHistory(jobs, removal, deadline))) return false;
  await renameInMerges(stores.catalog, { from: username, to: anonymous });
  await patronOf(stores, username).upkeep.erase();
  await forgetAccount(stores.patrons, removal);
  return true;
}

/** Keeps shelves, ratings, observations and awards in the counts, under a name that does not identify the patron. */
async function leaveWorks({ stores, sources }: Jobs, removal: Removal, deadline: number): Promise<boolean> {
  const { upkeep } = patronOf(stores, removal.username);
  const names = { from: removal.username.toLowerCase(), to: removal.anonymous };
  for (;;) {
    const works = await upkeep.heldWorks(RENAMED_WORKS);
    if (works.length === 0) return true;
    await renameWorks(stores.patrons, works, names);
    // If time is over, the next worker begins with the remaining works.
    await upkeep.dropWorks(works.map(({ work }) => work));
    if (sources.now() >= deadline) return false;
  }
}

/** Hides all revisions of the person's own records, and renames the author of their other changes. */
async function leaveHistory({ stores: { catalog }, sources }: Jobs, removal: Removal, deadline: number) {
  const names = { from: `/people/${removal.username}`, to: `/people/${removal.anonymous}` };
  const steps = [
    () => blankOwnRevisions(catalog, names.from),
    // Before the renaming: changes of the own records must not get the neutral name.
    () => emptyOwnChanges(catalog, names.from),
    () => renameChanges(catalog, names),
  ];
  for (const step of steps) while (!(await step())) if (sources.now() >= deadline) return false;
  await renameElsewhere(catalog, names);
  return true;
}

async function leaveFollowers({ stores, sources }: Jobs, username: string, deadline: number) {
  const publisher = username.toLowerCase();
  for (let after: Subscriber | undefined; ;) {
    const page = await readSubscribers(stores.patrons, publisher, { after, limit: UNFOLLOWING_PATRONS });
    after = page.at(-1);
    if (after === undefined) return true;
    // Two patrons who follow each other may leave at the same time. The removed patron's own follows go with the
    // account.
    await Promise.all(
      page.map(({ subscriber }) => unlessRemoved(patronOf(stores, subscriber).follows.unfollow(publisher))),
    );
    if (sources.now() >= deadline) return false;
  }
}

/**
 * Delay before an account is checked again, in milliseconds: the second pass deletes the data of requests and messages
 * that were under way at the removal. Longer than any request takes.
 */
export const REMOVAL_AGAIN_MS = 120_000;
/** Idle time after which the sweep resumes a removal, in milliseconds, and removals that one sweep resumes. */
export const REMOVAL_IDLE_MS = 60_000;
const REMOVALS_SWEPT = 5;

export const removalJob = jobKind("removal", z.object({ id: z.int() }), async ({ id }, jobs) => {
  const removal = await readRemoval(jobs.stores.patrons, id);
  // The second pass waits until it is due.
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
  await removalJob.send(stores, { id }, wait / 1000);
}

/** Releases a name that the catalog has never seen; any other belongs to the records that its owner has written. */
async function end({ id, username }: Removal, { stores }: Jobs): Promise<void> {
  const user = await readRecord(stores.catalog, `/people/${username}`);
  if (user === undefined) await patronOf(stores, username).upkeep.reopen();
  await endRemoval(stores.patrons, id);
}

/** Resumes removals whose messages were lost, and repeats those whose second pass is due. A step of the sweep. */
export async function continueRemovals(jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const found = await dueRemovals(stores.patrons, sources.now(), REMOVALS_SWEPT);
  await sweepJobs({ kind: removalJob.kind, found, sources }, async (id) => {
    const removal = await readRemoval(stores.patrons, id);
    if (removal === undefined) return;
    await noteRemoval(stores.patrons, { ...removal, due: sources.now() + REMOVAL_IDLE_MS });
    await workOn(removal, jobs);
  });
}

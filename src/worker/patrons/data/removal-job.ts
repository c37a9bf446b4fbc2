import * as z from "zod";
import { parseDocument } from "../../../catalog/document.ts";
import {
  blankOwnRevisions,
  emptyOwnChanges,
  renameChanges,
  renameElsewhere,
} from "../../../db/history/forget-author.ts";
import { type Subscriber, readSubscribers } from "../../../db/patrons/follows.ts";
import { forgetAccount, renameInMerges, renameWorks } from "../../../db/patrons/forget-patron.ts";
import {
  endRemoval,
  noteRemoval,
  readDueAccountRemovals,
  readRemoval,
} from "../../../db/patrons/patron-jobs.ts";
import type { Removal } from "../../../db/patrons/patron-rows.ts";
import { readRecord, readRecords } from "../../../db/records/records.ts";
import { type BelowRow, readBelow, readGroups } from "../../../db/records/users.ts";
import { groupMembers } from "../../accounts/last-admin.ts";
import { unlessRemoved } from "../../accounts/unless-removed.ts";
import { saveAsService } from "../../editing/edit-desk.ts";
import { lendingOf } from "../../lending/service/lending-of.ts";
import { jobKind, sweepJobs } from "../../platform/patron-job.ts";
import type { BudgetedJobs, Jobs } from "../../http/queue.ts";
import { patronOf } from "../../http/session.ts";

/** Records of a user that are deleted as one change. */
const DELETED_RECORDS = 100;
const DELETED = { key: "/type/delete" };

/**
 * Removes a user from all groups, including their own, so that no account can write below their key, and deletes their
 * lists and record. Throws errors that a retry can resolve, such as concurrent edits. Finished steps are not repeated.
 * Returns false if the budget is over.
 */
async function deleteRecords(jobs: BudgetedJobs, username: string): Promise<boolean> {
  const { catalog } = jobs.stores;
  const user = `/people/${username}`;
  for (const { key, revision, document } of await readRecords(catalog, await readGroups(catalog, user))) {
    const stored = parseDocument(document);
    const others = groupMembers(stored).filter((member) => member !== user);
    const group = { ...stored, members: others.map((member) => ({ key: member })) };
    const kind = "edit-usergroup-delete-member";
    await saveAsService(jobs, { kind, documents: [group], expected: { [key]: revision } });
  }
  const preserved = new Set([`${user}/usergroup`, `${user}/permission`]);
  for (let after = ""; ;) {
    const rows = await readBelow(catalog, `${user}/`, { after, limit: DELETED_RECORDS });
    const last = rows.at(-1);
    if (last === undefined) break;
    const deletable = rows.filter((row) => !preserved.has(row.key));
    const lists = deletable.filter(({ type }) => type === "/type/list");
    await deleteAll(jobs, lists, "delete-list");
    const others = deletable.filter((row) => !lists.includes(row));
    await deleteAll(jobs, others, "delete-profile");
    after = last.key;
    // Preserved records are found each time.
    if (deletable.length > 0 && jobs.budget.isOver()) return false;
  }
  const [record] = await readRecords(catalog, [user]);
  if (record !== undefined && record.type !== DELETED.key) await deleteAll(jobs, [record], "delete-profile");
  return true;
}

async function deleteAll(jobs: Jobs, rows: readonly Pick<BelowRow, "key" | "revision">[], kind: string) {
  if (rows.length === 0) return;
  const documents = rows.map(({ key }) => ({ key, type: DELETED }));
  const expected = Object.fromEntries(rows.map(({ key, revision }) => [key, revision]));
  await saveAsService(jobs, { kind, documents, expected });
}

/** Works renamed together, and followers updated concurrently. */
export const RENAMED_WORKS = 200;
const UNFOLLOWING_PATRONS = 100;

/**
 * Removes all data of an account. Returns false if the budget is over. Each step finds its remaining work itself,
 * so it can break off anywhere and be restarted, also by two consumers at once. `visited` moves with the followers, who
 * stay in the projection for a while.
 */
export async function removeAll(
  removal: Removal,
  jobs: BudgetedJobs,
  visited: { after?: Subscriber | undefined } = {},
): Promise<boolean> {
  const { stores, sources, budget } = jobs;
  const { catalog, patrons } = stores;
  const { username, anonymous } = removal;
  const folded = username.toLowerCase();
  const { upkeep } = patronOf(stores, username);
  await upkeep.seal();
  // Directly after the seal, so that nothing can be written below the account's key any more.
  if (!(await deleteRecords(jobs, username))) return false;
  await lendingOf({ ...jobs, now: sources.now(), client: "local" }).forget({ username });
  for (;;) {
    const window = { after: visited.after, limit: UNFOLLOWING_PATRONS };
    const page = await readSubscribers(patrons, folded, window);
    if (page.length === 0) break;
    visited.after = page.at(-1);
    // The follower may be removed at the same time. The removed patron's own follows are deleted with the account.
    const calls = page.map(({ subscriber }) => patronOf(stores, subscriber).follows.unfollow(folded));
    await Promise.all(calls.map(unlessRemoved));
    if (budget.isOver()) return false;
  }
  // Shelves, ratings, observations and awards still count, under the anonymous name.
  for (;;) {
    const works = await upkeep.firstWorks(RENAMED_WORKS);
    if (works.length === 0) break;
    await renameWorks(patrons, works, { from: folded, to: anonymous });
    // When the budget is over, the next job begins with the remaining works.
    await upkeep.dropWorks(works.map(({ work }) => work));
    if (budget.isOver()) return false;
  }
  const names = { from: `/people/${username}`, to: `/people/${anonymous}` };
  const steps = [
    () => blankOwnRevisions(catalog, names.from),
    // Before the renaming: changes of the person's own records must not get the anonymous name.
    () => emptyOwnChanges(catalog, names.from),
    () => renameChanges(catalog, names),
  ];
  for (const step of steps) while (!(await step())) if (budget.isOver()) return false;
  await renameElsewhere(catalog, names);
  await renameInMerges(catalog, { from: username, to: anonymous });
  await upkeep.erase();
  await forgetAccount(patrons, removal, sources.now());
  return true;
}

/**
 * Delay of the second pass, in milliseconds. It deletes the data of requests and messages that were under way at the
 * removal, so the delay is longer than any request takes.
 */
export const REMOVAL_AGAIN_MS = 120_000;
/** Idle time after which the sweep resumes a removal, in milliseconds, and removals that one sweep resumes. */
export const REMOVAL_IDLE_MS = 60_000;
const REMOVALS_SWEPT = 5;

const message = z.object({
  id: z.int(),
  after: z.object({ subscriber: z.string(), created: z.int() }).optional(),
});

export const removalJob = jobKind("removal", message, async ({ id, after }, jobs) => {
  const removal = await readRemoval(jobs.stores.patrons, id);
  // The second pass waits until it is due.
  if (removal === undefined || (removal.isSwept === 1 && removal.due > jobs.sources.now())) return;
  await runRemoval(removal, jobs, after);
});

async function runRemoval(removal: Removal, jobs: BudgetedJobs, after?: Subscriber): Promise<void> {
  const { stores, sources } = jobs;
  const { id, username, isSwept } = removal;
  const visited = { after };
  const isDone = await removeAll(removal, jobs, visited);
  if (isDone && isSwept === 1) {
    const user = await readRecord(stores.catalog, `/people/${username}`);
    // A new account may use the name unless records and history still refer to it.
    if (user === undefined) await patronOf(stores, username).upkeep.reopen();
    return endRemoval(stores.patrons, id);
  }
  const wait = isDone ? REMOVAL_AGAIN_MS : 0;
  const due = sources.now() + (isDone ? REMOVAL_AGAIN_MS : REMOVAL_IDLE_MS);
  await noteRemoval(stores.patrons, { id, isSwept: isDone ? 1 : isSwept, due });
  await removalJob.send(stores, { id, ...(!isDone && visited) }, wait / 1000);
}

/** Resumes removals whose messages were lost, and starts second passes that are due. A step of the sweep. */
export async function continueRemovals(jobs: BudgetedJobs): Promise<void> {
  const { stores, sources, budget } = jobs;
  const due = await readDueAccountRemovals(stores.patrons, sources.now(), REMOVALS_SWEPT);
  await sweepJobs({ kind: removalJob.kind, found: due, budget }, async (id) => {
    const removal = await readRemoval(stores.patrons, id);
    if (removal === undefined) return;
    await noteRemoval(stores.patrons, { ...removal, due: sources.now() + REMOVAL_IDLE_MS });
    await runRemoval(removal, jobs);
  });
}

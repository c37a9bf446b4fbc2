import { forgetAccount, renameInMerges, renameWorks } from "../../db/patrons/forget.ts";
import type { Removal } from "../../db/patrons/removals.ts";
import { type Subscriber, readSubscribers } from "../../db/patrons/follows.ts";
import { isRemoved } from "../../durable/patron/removal.ts";
import type { Stores } from "../http/bindings.ts";
import { lendingOf } from "../holdings/lending-of.ts";
import { type Jobs, JOB_BUDGET_MS } from "../http/queue.ts";
import { patronOf } from "../http/session.ts";
import { forgetRecords } from "./forget-records.ts";

/** Works taken over to the anonymous name together, and followers told side by side. */
export const RENAMED_WORKS = 200;
export const UNFOLLOWING_PATRONS = 20;

/**
 * Removes all that there is of an account (patrons.md 3.10, Q231); false when the time was over before the end. Each
 * step finds for itself what is left to do, so it can break off anywhere and be begun again, by two workers at a time too.
 */
export async function removeAll(removal: Removal, jobs: Jobs): Promise<boolean> {
  const { stores, sources } = jobs;
  const { username, anonymous } = removal;
  const deadline = sources.now() + JOB_BUDGET_MS;
  await patronOf(stores, username).upkeep.seal();
  // Then this, so that nothing can be written below the account's key any more.
  await forgetRecords(jobs, username);
  await lendingOf({ ...jobs, now: sources.now(), client: "local" }).forget({ username });
  if (!(await leaveFollowers(jobs, username, deadline))) return false;
  if (!(await leaveWorks(jobs, removal, deadline))) return false;
  await renameInMerges(stores.catalog, { from: username, to: anonymous });
  await patronOf(stores, username).upkeep.erase();
  await forgetAccount(stores.patrons, removal);
  return true;
}

/** Shelves, ratings, observations and awards stay counted, under a name that says nothing. */
async function leaveWorks({ stores, sources }: Jobs, removal: Removal, deadline: number): Promise<boolean> {
  const { upkeep } = patronOf(stores, removal.username);
  const names = { from: removal.username.toLowerCase(), to: removal.anonymous };
  for (;;) {
    const works = await upkeep.heldWorks(RENAMED_WORKS);
    if (works.length === 0) return true;
    await renameWorks(stores.patrons, works, names);
    // Whoever goes on, if time is over, begins with what is left.
    await upkeep.dropWorks(works.map(({ work }) => work));
    if (sources.now() >= deadline) return false;
  }
}

async function leaveFollowers(
  { stores, sources }: Jobs,
  username: string,
  deadline: number,
): Promise<boolean> {
  const publisher = username.toLowerCase();
  for (let after: Subscriber | undefined; ;) {
    const page = await readSubscribers(stores.patrons, publisher, { after, limit: UNFOLLOWING_PATRONS });
    after = page.at(-1);
    if (after === undefined) return true;
    await Promise.all(page.map(({ subscriber }) => leaveFollower(stores, subscriber, publisher)));
    if (sources.now() >= deadline) return false;
  }
}

async function leaveFollower(stores: Stores, subscriber: string, publisher: string): Promise<void> {
  try {
    await patronOf(stores, subscriber).circle.unfollow(publisher);
  } catch (error) {
    // Two who follow each other may leave at the same time: whom he follows goes with his own account.
    if (!isRemoved(error)) throw error;
  }
}

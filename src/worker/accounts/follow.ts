import * as z from "zod";
import { FOLLOWS_MAX } from "../../catalog/patrons/activity.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { endVisibility, readSubscribers, readVisibilities } from "../../db/patrons/follows.ts";
import { readGroups } from "../../db/records/users.ts";
import { READ_ONLY_GROUP } from "../../catalog/roles.ts";
import type { Stores } from "../http/bindings.ts";
import { Failure, failure } from "../http/failure.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { jobKind, sweepJobs } from "../platform/patron-job.ts";
import type { BudgetedJobs } from "../http/queue.ts";
import { requireWritable } from "../http/read-only.ts";
import { patronOf } from "../http/session.ts";
import { unlessRemoved } from "./unless-removed.ts";

type Following = Readonly<Record<"subscriber" | "publisher", string>>;

/** Follows a patron, even one who hides their log; false if there is no such account. Skips following oneself. */
export async function followPatron({ stores, now }: RequestContext, { subscriber, publisher }: Following) {
  const account = await findAccount(stores.patrons, { username: publisher });
  if (account === undefined) return false;
  const { username } = account;
  if (username.toLowerCase() === subscriber.toLowerCase()) return true;
  const { follows } = patronOf(stores, subscriber);
  const disabled = await hidesLog(stores, username);
  if (!(await follows.follow({ username, disabled, now }))) {
    throw failure("bad_data.follows", { most: FOLLOWS_MAX });
  }
  // The preference may have changed meanwhile: its job only reaches followers who were there before it.
  const isNow = await hidesLog(stores, username);
  if (isNow !== disabled)
    await patronOf(stores, subscriber).follows.setDisabled({ username, disabled: isNow, now });
  return true;
}

export async function unfollow({ stores }: RequestContext, { subscriber, publisher }: Following) {
  const account = await findAccount(stores.patrons, { username: publisher });
  if (account === undefined) return false;
  await patronOf(stores, subscriber).follows.unfollow(account.username);
  return true;
}

export async function hidesLog(stores: Stores, username: string): Promise<boolean> {
  const preferences = await patronOf(stores, username).preferences();
  return preferences["public_readlog"] !== "yes";
}

const FOLLOW = /^follow:(.+)$/;

export function followAction(publisher: string): string {
  return `follow:${publisher}`;
}

/** Runs the action that a patron wanted before the login. Unknown or failing actions do not prevent the login. */
export async function runPendingAction(context: RequestContext, username: string, action: string) {
  const publisher = FOLLOW.exec(action)?.[1];
  if (publisher === undefined) return;
  try {
    await requireWritable(context);
    const groups = await readGroups(context.stores.catalog, `/people/${username}`);
    if (groups.includes(READ_ONLY_GROUP)) return;
    await followPatron(context, { subscriber: username, publisher });
  } catch (error) {
    if (error instanceof Failure) return;
    logLine("error", "pending-action", { request: context.requestId, error: String(loggable(error)) });
  }
}

/** Followers that a statement reads, each of whom is a call. */
const NOTIFIED_FOLLOWERS = 100;
/**
 * Milliseconds after a change in which all followers are notified again. The table of followers is written after the
 * patron's own object, so an earlier pass can miss a patron who has only just begun to follow.
 */
const FOLLOWERS_SETTLE_MS = 300_000;

const message = z.object({
  publisher: z.string(),
  after: z.object({ subscriber: z.string(), created: z.int() }).optional(),
  /** Start of the pass, in milliseconds since the epoch; absent: now. */
  started: z.int().optional(),
});

/**
 * Q227: notifies all followers of a patron, page by page, if the patron shows their reading log. It reads the current
 * setting and not the one at the time of the message, so messages may come late, twice and in any order. The sweep
 * repeats it until a pass has begun after `FOLLOWERS_SETTLE_MS`.
 */
export const followPrivacy = jobKind("follow-privacy", message, notifyFollowers);

async function notifyFollowers(
  { publisher, after, started }: z.output<typeof message>,
  jobs: BudgetedJobs,
): Promise<void> {
  const { stores, sources, budget } = jobs;
  const start = started ?? sources.now();
  for (let cursor = after; ;) {
    const window = { after: cursor, limit: NOTIFIED_FOLLOWERS };
    const page = await readSubscribers(stores.patrons, publisher, window);
    if (page.length > 0) {
      const state = { username: publisher, now: sources.now(), disabled: await hidesLog(stores, publisher) };
      const calls = page.map(({ subscriber }) => patronOf(stores, subscriber).follows.setDisabled(state));
      // An account that is being removed no longer follows anyone.
      await Promise.all(calls.map(unlessRemoved));
    }
    cursor = page.at(-1);
    if (cursor === undefined) break;
    if (budget.isOver()) return followPrivacy.send(stores, { publisher, after: cursor, started: start });
  }
  await endVisibility(stores.patrons, publisher, start - FOLLOWERS_SETTLE_MS);
}

/** Notifies followers whose messages were lost, and again those of recent changes. A step of the sweep. */
export async function continueVisibilities(jobs: BudgetedJobs): Promise<void> {
  const { stores, budget } = jobs;
  const found = await readVisibilities(stores.patrons);
  await sweepJobs({ kind: followPrivacy.kind, found, budget }, (publisher) =>
    notifyFollowers({ publisher }, jobs),
  );
}

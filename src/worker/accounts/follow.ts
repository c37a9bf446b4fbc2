import * as z from "zod";
import { FOLLOWS_MAX } from "../../catalog/patrons/activity.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { readSubscribers } from "../../db/patrons/follows.ts";
import { readGroups } from "../../db/records/users.ts";
import { READ_ONLY_GROUP } from "../../catalog/roles.ts";
import type { Stores } from "../http/bindings.ts";
import { CarrelError, badData } from "../http/errors.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { jobKind } from "../http/patron-job.ts";
import { type Jobs, JOB_BUDGET_MS } from "../http/queue.ts";
import { requireWritable } from "../http/read-only.ts";
import { patronOf } from "../http/session.ts";
import { unlessRemoved } from "./unless-removed.ts";

type Following = Readonly<Record<"subscriber" | "publisher", string>>;

/** Follows a patron, even one who hides their log; false if there is no such account. Skips following oneself. */
export async function follow({ stores, now }: RequestContext, { subscriber, publisher }: Following) {
  const account = await findAccount(stores.patrons, { username: publisher });
  if (account === undefined) return false;
  const { username } = account;
  if (username.toLowerCase() === subscriber.toLowerCase()) return true;
  const { follows } = patronOf(stores, subscriber);
  const disabled = await hidesLog(stores, username);
  if (!(await follows.follow({ username, disabled, now }))) {
    throw badData(`You already follow ${FOLLOWS_MAX} readers. Unfollow one first.`);
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
    await follow(context, { subscriber: username, publisher });
  } catch (error) {
    if (error instanceof CarrelError) return;
    logLine("error", "pending-action", { request: context.requestId, error: String(loggable(error)) });
  }
}

const NOTIFIED_FOLLOWERS = 50;
/**
 * Delay in seconds before all followers are notified again. The table of followers is written after the patron's own
 * object, so the first pass can miss a patron who has only just begun to follow.
 */
const SECOND_PASS_SECONDS = 300;

const message = z.object({
  publisher: z.string(),
  after: z.object({ subscriber: z.string(), created: z.int() }).optional(),
  isAgain: z.boolean().default(false),
});
type Message = z.output<typeof message>;

/**
 * Q227: notifies all followers of a patron, page by page, if the patron shows their reading log. It reads the current
 * setting and not the one at the time of the message, so messages may come late, twice and in any order.
 */
export const followPrivacy = jobKind("follow-privacy", message, notifyFollowers);

async function notifyFollowers({ publisher, after, isAgain }: Message, { stores, sources }: Jobs) {
  const end = sources.now() + JOB_BUDGET_MS;
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
    if (sources.now() >= end) return send(stores, { publisher, after: cursor, isAgain });
  }
  if (!isAgain) await send(stores, { publisher, isAgain: true }, SECOND_PASS_SECONDS);
}

/** Starts the job. Throws if the queue does not accept it, so that the change of the preference is not acknowledged. */
export async function scheduleFollowPrivacy(stores: Stores, username: string): Promise<void> {
  await send(stores, { publisher: username.toLowerCase(), isAgain: false });
}

async function send(stores: Stores, job: Message, delaySeconds = 0): Promise<void> {
  await stores.patronJobs.send({ kind: followPrivacy.kind, ...job }, { delaySeconds });
}

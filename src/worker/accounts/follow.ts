import { FOLLOWS_MAX } from "../../catalog/patrons/activity.ts";
import { findAccount } from "../../db/accounts/read-accounts.ts";
import { readGroups } from "../../db/records/users.ts";
import { READ_ONLY_GROUP } from "../../catalog/roles.ts";
import type { Stores } from "../http/bindings.ts";
import { CarrelError, badData } from "../http/errors.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { requireWritable } from "../http/read-only.ts";
import { patronOf } from "../http/session.ts";

/** Pair of patrons for following or unfollowing. Usernames in any case. */
type Following = Readonly<Record<"subscriber" | "publisher", string>>;

/** Follows a patron, even one who hides their log; false if there is no such account. Skips following oneself. */
export async function follow(
  { stores, now }: RequestContext,
  { subscriber, publisher }: Following,
): Promise<boolean> {
  const account = await findAccount(stores.patrons, { username: publisher });
  if (account === undefined) return false;
  const { username } = account;
  if (username.toLowerCase() === subscriber.toLowerCase()) return true;
  const { follows } = patronOf(stores, subscriber);
  const disabled = await hidesLog(stores, username);
  if (!(await follows.follow({ username, disabled, now }))) {
    throw badData(`You follow ${FOLLOWS_MAX} patrons already.`);
  }
  // The preference may have changed meanwhile: its job only reaches followers who were there before it.
  const isNow = await hidesLog(stores, username);
  if (isNow !== disabled)
    await patronOf(stores, subscriber).follows.setDisabled({ username, disabled: isNow, now });
  return true;
}

/** Unfollows a patron; false if there is no account of that name. */
export async function unfollow(
  { stores }: RequestContext,
  { subscriber, publisher }: Following,
): Promise<boolean> {
  const account = await findAccount(stores.patrons, { username: publisher });
  if (account === undefined) return false;
  await patronOf(stores, subscriber).follows.unfollow(account.username);
  return true;
}

/** True if a patron hides their reading log from others. */
export async function hidesLog(stores: Stores, username: string): Promise<boolean> {
  const preferences = await patronOf(stores, username).preferences();
  return preferences["public_readlog"] !== "yes";
}

const FOLLOW = /^follow:(.+)$/;

/** Returns the action by which the login page makes a patron follow another one. */
export function followAction(publisher: string): string {
  return `follow:${publisher}`;
}

/**
 * Runs the action that a patron wanted before logging in: `follow:<username>` follows that patron. Unknown or failing
 * actions do not prevent the login.
 */
export async function doPending(context: RequestContext, username: string, action: string): Promise<void> {
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

import { FOLLOWS_MAX } from "../../catalog/patrons/activity.ts";
import { findAccount } from "../../db/accounts/read.ts";
import { readGroups } from "../../db/records/users.ts";
import { READ_ONLY_GROUP } from "../../catalog/roles.ts";
import type { Stores } from "../http/bindings.ts";
import { CarrelError, badData } from "../http/errors.ts";
import { logLine, loggable } from "../http/log.ts";
import type { RequestContext } from "../http/operation.ts";
import { requireWritable } from "../http/read-only.ts";
import { patronOf } from "../http/session.ts";

/** One patron who is to follow another one, or no longer. Usernames in any case. */
type Following = Readonly<Record<"subscriber" | "publisher", string>>;

/** Follows a patron, though he may hide his log; false without such an account. Oneself is passed over. */
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
  // The job that follows such a change knows those alone who followed before it.
  const isNow = await hidesLog(stores, username);
  if (isNow !== disabled)
    await patronOf(stores, subscriber).follows.setDisabled({ username, disabled: isNow, now });
  return true;
}

/** Follows a patron no longer; false when there is no account of that name. */
export async function unfollow(
  { stores }: RequestContext,
  { subscriber, publisher }: Following,
): Promise<boolean> {
  const account = await findAccount(stores.patrons, { username: publisher });
  if (account === undefined) return false;
  await patronOf(stores, subscriber).follows.unfollow(account.username);
  return true;
}

/** True for a patron who does not show his reading log to others. */
export async function hidesLog(stores: Stores, username: string): Promise<boolean> {
  const preferences = await patronOf(stores, username).preferences();
  return preferences["public_readlog"] !== "yes";
}

const FOLLOW = /^follow:(.+)$/;

/** The action with which the login page has somebody follow a patron. */
export function followAction(publisher: string): string {
  return `follow:${publisher}`;
}

/**
 * Does what somebody wanted to do when he was asked to log in: `follow:<username>` follows that patron.
 * What is not known, or cannot be done, does not keep anybody from logging in.
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

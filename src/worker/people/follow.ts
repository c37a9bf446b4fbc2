import { findAccount } from "../../db/accounts/read.ts";
import { FOLLOWS_MAX } from "../../catalog/patrons/activity.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Stores } from "../http/bindings.ts";
import { badData } from "../http/errors.ts";
import { patronOf } from "../http/session.ts";

/** One patron who is to follow another one, or no longer. Usernames in any case. */
export interface Following {
  readonly subscriber: string;
  readonly publisher: string;
}

/**
 * Follows a patron; false when there is no account of that name. Whoever hides his reading log is followed too, but shows
 * nothing (patrons.md 11); following oneself does nothing.
 */
export async function follow(
  { stores, now }: RequestContext,
  { subscriber, publisher }: Following,
): Promise<boolean> {
  const account = await findAccount(stores.patrons, { username: publisher });
  if (account === undefined) return false;
  const { username } = account;
  if (username.toLowerCase() === subscriber.toLowerCase()) return true;
  const circle = patronOf(stores, subscriber).circle;
  const disabled = await hidesLog(stores, username);
  if (!(await circle.follow({ username, disabled, now }))) {
    throw badData(`You follow ${FOLLOWS_MAX} patrons already.`);
  }
  // The job that follows such a change knows those alone who followed before it.
  const isNow = await hidesLog(stores, username);
  if (isNow !== disabled)
    await patronOf(stores, subscriber).circle.setDisabled({ username, disabled: isNow, now });
  return true;
}

/** Follows a patron no longer; false when there is no account of that name. */
export async function unfollow(
  { stores }: RequestContext,
  { subscriber, publisher }: Following,
): Promise<boolean> {
  const account = await findAccount(stores.patrons, { username: publisher });
  if (account === undefined) return false;
  await patronOf(stores, subscriber).circle.unfollow(account.username);
  return true;
}

/** True for a patron who does not show his reading log to others. */
export async function hidesLog(stores: Stores, username: string): Promise<boolean> {
  const preferences = await patronOf(stores, username).preferences();
  return preferences["public_readlog"] !== "yes";
}

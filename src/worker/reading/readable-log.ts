import { type FoundAccount, findAccount } from "../../db/accounts/read.ts";
import type { RequestContext } from "../http/operation.ts";
import { CarrelError, forbidden } from "../http/errors.ts";
import { askingSession, patronOf } from "../http/session.ts";

/** A patron whose reading log is asked for. */
export interface LogOwner {
  readonly account: FoundAccount;
  /** True when it is his own session that asks. */
  readonly isOwn: boolean;
}

/** The owner of a reading log; 404 when there is no such patron. His object is not asked: that would make one. */
export async function logOwner(context: RequestContext, username: string): Promise<LogOwner> {
  const [account, session] = await Promise.all([
    findAccount(context.stores.patrons, { username }),
    askingSession(context),
  ]);
  if (account === undefined) throw new CarrelError(404, "not_found", { message: "User not found" });
  return { account, isOwn: session?.username.toLowerCase() === account.usernameFolded };
}

/** Refuses others than the patron when he does not show his log; administrators too (patrons.md 5.2). */
export async function requireReadable(context: RequestContext, { account, isOwn }: LogOwner): Promise<void> {
  if (isOwn) return;
  const preferences = await patronOf(context.stores, account.username).preferences();
  if (preferences["public_readlog"] !== "yes") throw forbidden("This reading log is private");
}

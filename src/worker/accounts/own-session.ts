import { type FoundAccount, findAccount } from "../../db/accounts/read-accounts.ts";
import { authenticationRequired } from "../http/errors.ts";
import type { RequestContext, Session } from "../http/operation.ts";

/** Returns the session of the request; throws 401 if there is none. */
export async function ownSession(context: RequestContext): Promise<Session> {
  const session = await context.session();
  if (session === undefined) throw authenticationRequired("Session");
  return session;
}

/** Returns the account of the session of the request; throws 401 if there is no session or no account. */
export async function ownAccount(context: RequestContext): Promise<FoundAccount> {
  const { username } = await ownSession(context);
  const account = await findAccount(context.stores.patrons, { username });
  if (account === undefined) throw authenticationRequired("Session");
  return account;
}

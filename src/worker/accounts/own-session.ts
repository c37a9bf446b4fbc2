import { type FoundAccount, findAccount } from "../../db/accounts/read.ts";
import { authenticationRequired } from "../http/errors.ts";
import type { RequestContext, Session } from "../http/operation.ts";

/** The session of a request to a route that asks for one. */
export async function ownSession(context: RequestContext): Promise<Session> {
  const session = await context.session();
  if (session === undefined) throw authenticationRequired("Session");
  return session;
}

/** The account of the session of a request to a route that asks for one. */
export async function ownAccount(context: RequestContext): Promise<FoundAccount> {
  const { username } = await ownSession(context);
  const account = await findAccount(context.stores.patrons, { username });
  if (account === undefined) throw authenticationRequired("Session");
  return account;
}

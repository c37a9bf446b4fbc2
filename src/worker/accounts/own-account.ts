import { type FoundAccount, findAccount } from "../../db/accounts/read.ts";
import type { RequestContext } from "../http/operation.ts";
import { authenticationRequired } from "../http/errors.ts";
import { ownSession } from "./own-session.ts";

/** The account of the session of a request to a route that asks for one. */
export async function ownAccount(context: RequestContext): Promise<FoundAccount> {
  const { username } = await ownSession(context);
  const account = await findAccount(context.stores.patrons, { username });
  if (account === undefined) throw authenticationRequired("Session");
  return account;
}

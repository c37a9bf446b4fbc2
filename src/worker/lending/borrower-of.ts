import { findAccount } from "../../db/patrons/find-account.ts";
import type { RequestContext } from "../context.ts";
import { forbidden } from "../errors.ts";
import { READ_ONLY_GROUP } from "../sessions/access.ts";
import type { Borrower } from "./service.ts";

/**
 * Who borrows: the patron of the session, as his account has him; undefined without one. Whether he has a print disability is
 * what the identity provider has said of him, and not what his browser says (Q266).
 */
export async function borrowerOf(context: RequestContext): Promise<Borrower | undefined> {
  const { username, groups } = await context.actor();
  if (username === null) return undefined;
  if (groups.has(READ_ONLY_GROUP)) throw forbidden();
  const account = await findAccount(context.stores.patrons, { username });
  return account === undefined ? undefined : { username, isPrintDisabled: account.specialAccess };
}

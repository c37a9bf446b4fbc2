import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { account } from "../schema/patrons.ts";
import { ACCOUNT_COLUMNS, type FoundAccount } from "./find-account.ts";

/**
 * Notes a login at a time in naive UTC if the account is active, and returns it either way; undefined when there is
 * none. One transaction.
 */
export async function noteLogin(
  patrons: D1Database,
  username: string,
  lastLogin: string,
): Promise<FoundAccount | undefined> {
  const database = drizzle(patrons);
  const named = eq(account.usernameFolded, username.toLowerCase());
  const [, [found]] = await database.batch([
    database
      .update(account)
      .set({ lastLogin })
      .where(and(named, eq(account.status, "active"))),
    database.select(ACCOUNT_COLUMNS).from(account).where(named),
  ]);
  return found;
}

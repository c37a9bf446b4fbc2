import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { account, accountLink, apiKey } from "../schema/patrons.ts";

/** Deletes an account with its links and keys; unknown ones are no error. One transaction. */
export async function deleteAccount(patrons: D1Database, username: string): Promise<void> {
  const database = drizzle(patrons);
  const folded = username.toLowerCase();
  await database.batch([
    database.delete(accountLink).where(eq(accountLink.usernameFolded, folded)),
    database.delete(apiKey).where(eq(apiKey.usernameFolded, folded)),
    database.delete(account).where(eq(account.usernameFolded, folded)),
  ]);
}

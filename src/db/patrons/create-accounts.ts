import { drizzle } from "drizzle-orm/d1";
import { account } from "../schema/patrons.ts";

/** An account to be created whose catalog records exist; e-mail and username are unique whatever their case. */
export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  /** Naive UTC. */
  readonly created: string;
  /** The username when absent. */
  readonly displayname?: string;
  /** Who the patron is at the identity provider. */
  readonly subject?: string;
}

/** Creates active accounts; those that exist already stay as they are. */
export async function createAccounts(patrons: D1Database, accounts: readonly NewAccount[]): Promise<void> {
  const database = drizzle(patrons);
  // One statement each, because D1 binds 100 values at most.
  const [first, ...others] = accounts.map((one) =>
    database
      .insert(account)
      .values({
        displayname: one.username,
        ...one,
        usernameFolded: one.username.toLowerCase(),
        emailFolded: one.email.toLowerCase(),
        status: "active",
        hasRecords: true,
      })
      .onConflictDoNothing(),
  );
  if (first !== undefined) await database.batch([first, ...others]);
}

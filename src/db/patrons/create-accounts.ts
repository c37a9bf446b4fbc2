import { drizzle } from "drizzle-orm/d1";
import { account } from "../schema/patrons.ts";

/** An account to be created; its e-mail and username are unique whatever their case. */
export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  /** Naive UTC. */
  readonly created: string;
}

/** Creates active accounts; those that exist already stay as they are. */
export async function createAccounts(patrons: D1Database, accounts: readonly NewAccount[]): Promise<void> {
  const database = drizzle(patrons);
  // One statement each, because D1 binds 100 values at most.
  const [first, ...others] = accounts.map((one) =>
    database
      .insert(account)
      .values({
        ...one,
        usernameFolded: one.username.toLowerCase(),
        emailFolded: one.email.toLowerCase(),
        status: "active",
      })
      .onConflictDoNothing(),
  );
  if (first !== undefined) await database.batch([first, ...others]);
}

import { and, eq, lt, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { account, accountLink, apiKey } from "./rows.ts";

/** A registration: an account whose catalog records are still to be made. */
interface Registration {
  readonly username: string;
  readonly email: string;
  readonly displayname: string;
  /** Null: no login by password. */
  readonly passwordHash: string | null;
  /** `pending` until the e-mail address is confirmed. */
  readonly status: "pending" | "active";
  /** Naive UTC. */
  readonly created: string;
}

/** What another account has already. */
type TakenField = "username" | "email";

/** Creates one account. One transaction; when it cannot, all the fields that are taken, whatever their case. */
export async function createAccount(
  patrons: D1Database,
  registration: Registration,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly taken: readonly TakenField[] }> {
  const database = drizzle(patrons);
  const usernameFolded = registration.username.toLowerCase();
  const emailFolded = registration.email.toLowerCase();
  const [created, others] = await database.batch([
    database
      .insert(account)
      .values({ ...registration, usernameFolded, emailFolded })
      .onConflictDoNothing()
      .returning({ username: account.username }),
    database
      .select({ username: account.usernameFolded, email: account.emailFolded })
      .from(account)
      .where(or(eq(account.usernameFolded, usernameFolded), eq(account.emailFolded, emailFolded))),
  ]);
  if (created.length > 0) return { ok: true };
  const taken: TakenField[] = [];
  if (others.some(({ username }) => username === usernameFolded)) taken.push("username");
  if (others.some(({ email }) => email === emailFolded)) taken.push("email");
  return { ok: false, taken };
}

/** An account to be created whose catalog records exist; e-mail and username are unique whatever their case. */
interface NewAccount {
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

/**
 * Deletes registrations that were never confirmed and were made before a time in naive UTC, if they stand in the way of
 * a username or an address: their links no longer work.
 */
export async function deleteStaleRegistrations(
  patrons: D1Database,
  { username, email, before }: { readonly username: string; readonly email: string; readonly before: string },
): Promise<void> {
  await drizzle(patrons)
    .delete(account)
    .where(
      and(
        eq(account.status, "pending"),
        eq(account.hasRecords, false),
        lt(account.created, before),
        or(eq(account.usernameFolded, username.toLowerCase()), eq(account.emailFolded, email.toLowerCase())),
      ),
    );
}

import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import {
  type AccountRow,
  type AccountStatus,
  account,
  accountLink,
  apiKey,
  hasUsername,
} from "./account-rows.ts";

type NewAccount = Pick<AccountRow, "username" | "email" | "displayname" | "created">;

/** Registration: an account without catalog records so far. `passwordHash` null: no login by password. */
interface Registration extends NewAccount, Pick<AccountRow, "passwordHash"> {
  readonly status: Exclude<AccountStatus, "blocked">;
}

type TakenField = "username" | "email";

/** Creates one account. One transaction; on failure, returns all fields that are taken, in any case. */
export async function insertAccount(
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
  const takenFields: TakenField[] = [];
  if (others.some(({ username }) => username === usernameFolded)) takenFields.push("username");
  if (others.some(({ email }) => email === emailFolded)) takenFields.push("email");
  return { ok: false, taken: takenFields };
}

/** Creates active accounts whose catalog records exist; existing accounts stay unchanged. */
export async function createAccounts(
  patrons: D1Database,
  accounts: readonly (Omit<NewAccount, "displayname"> &
    Partial<Pick<AccountRow, "displayname" | "passwordHash" | "subject">>)[],
): Promise<void> {
  const database = drizzle(patrons);
  // One statement each, because D1 binds 100 values at most.
  const [first, ...others] = accounts.map((newAccount) =>
    database
      .insert(account)
      .values({
        displayname: newAccount.username,
        ...newAccount,
        usernameFolded: newAccount.username.toLowerCase(),
        emailFolded: newAccount.email.toLowerCase(),
        status: "active",
        hasRecords: true,
      })
      .onConflictDoNothing(),
  );
  if (first !== undefined) await database.batch([first, ...others]);
}

/** Deletes an account with its links and keys; unknown accounts are no error. One transaction. */
export async function deleteAccount(patrons: D1Database, username: string): Promise<void> {
  const database = drizzle(patrons);
  const folded = username.toLowerCase();
  await database.batch([
    database.delete(accountLink).where(eq(accountLink.usernameFolded, folded)),
    database.delete(apiKey).where(eq(apiKey.usernameFolded, folded)),
    database.delete(account).where(eq(account.usernameFolded, folded)),
  ]);
}

/** New registration, and the time (naive UTC) from which on an older one of its username is still valid. */
interface NewRegistration {
  readonly username: string;
  readonly email: string;
  readonly since: string;
}

/** Returns true for an account that gives way to a new registration (Q146). Same condition as in `deleteRegistrations`. */
export function isReplaceable(
  { status, hasRecords, email, created }: Pick<AccountRow, "status" | "hasRecords" | "email" | "created">,
  by: Omit<NewRegistration, "username">,
): boolean {
  if (status !== "pending" || hasRecords) return false;
  return email.toLowerCase() === by.email.toLowerCase() || created < by.since;
}

/** Deletes unconfirmed registrations that conflict with a new one. */
export async function deleteRegistrations(patrons: D1Database, by: NewRegistration): Promise<void> {
  const isOld = and(eq(account.usernameFolded, by.username.toLowerCase()), lt(account.created, by.since));
  await drizzle(patrons)
    .delete(account)
    .where(
      and(
        eq(account.status, "pending"),
        eq(account.hasRecords, false),
        or(isOld, eq(account.emailFolded, by.email.toLowerCase())),
      ),
    );
}

/** Outcome for an account of another service: created, existing, or its name or address belongs to another account. */
export type RestoredAs = "new" | "known" | "foreign";

/**
 * Creates active accounts for patrons of another service, without a password and without records in the catalog yet;
 * existing accounts stay unchanged. Returns the outcome for each. An account is the same only if both its name and its
 * address are: an account elsewhere must not go to a patron who merely has that name here. One transaction.
 */
export async function restoreAccounts(
  patrons: D1Database,
  accounts: readonly NewAccount[],
): Promise<RestoredAs[]> {
  const values = accounts.map(({ username, email, displayname, created }) => [
    username,
    username.toLowerCase(),
    email,
    email.toLowerCase(),
    displayname,
    created,
  ]);
  const list = sql`json_each(${JSON.stringify(values)}) e`;
  const database = drizzle(patrons);
  const [created, existing] = await database.batch([
    database
      .insert(account)
      // All columns in the order of account-rows.ts; skips accounts that are being removed.
      .select(
        sql`SELECT e.value->>0, e.value->>1, e.value->>3, e.value->>2, NULL, NULL, e.value->>4, 'active', 0, '[]', 0, 0,
              e.value->>5, NULL, NULL, '{}'
            FROM ${list} WHERE e.value->>1 NOT IN (SELECT username_folded FROM removal)`,
      )
      .onConflictDoNothing()
      .returning({ name: account.usernameFolded }),
    database
      .select({ place: sql<number>`e.key` })
      .from(list)
      .innerJoin(
        account,
        sql`${account.usernameFolded} = e.value->>1 AND ${account.emailFolded} = e.value->>3`,
      ),
  ]);
  const names = new Set(created.map(({ name }) => name));
  const places = new Set(existing.map(({ place }) => place));
  return accounts.map(({ username }, place) => {
    if (!places.has(place)) return "foreign";
    return names.has(username.toLowerCase()) ? "new" : "known";
  });
}

/** Deletes an account that was just created and has not been used yet. */
export async function withdrawAccount(patrons: D1Database, username: string): Promise<void> {
  const { passwordHash, subject, lastLogin } = account;
  await drizzle(patrons)
    .delete(account)
    .where(and(hasUsername(username), isNull(passwordHash), isNull(subject), isNull(lastLogin)));
}

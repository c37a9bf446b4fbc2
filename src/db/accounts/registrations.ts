import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type AccountRow, type AccountStatus, account, accountLink, apiKey, byUsername } from "./rows.ts";

/** Somebody who gets an account. */
type NewAccount = Pick<AccountRow, "username" | "email" | "displayname" | "created">;

/** A registration: an account whose catalog records are still to be made. `passwordHash` null: no login by password. */
interface Registration extends NewAccount, Pick<AccountRow, "passwordHash"> {
  readonly status: Exclude<AccountStatus, "blocked">;
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

/** Creates active accounts whose catalog records exist; those that are there already stay as they are. */
export async function createAccounts(
  patrons: D1Database,
  accounts: readonly (Omit<NewAccount, "displayname"> &
    Partial<Pick<AccountRow, "displayname" | "passwordHash" | "subject">>)[],
): Promise<void> {
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

/** A new registration, and from when on (naive UTC) an older one of its username still holds. */
interface NewRegistration {
  readonly username: string;
  readonly email: string;
  readonly since: string;
}

/** True for an account that gives way to a new registration (Q146). `deleteRegistrations` says the same in SQL. */
export function givesWay(
  { status, hasRecords, email, created }: Pick<AccountRow, "status" | "hasRecords" | "email" | "created">,
  by: Omit<NewRegistration, "username">,
): boolean {
  if (status !== "pending" || hasRecords) return false;
  return email.toLowerCase() === by.email.toLowerCase() || created < by.since;
}

/** Deletes registrations that were never confirmed and stand in the way of a new one. */
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

/** What became of an account of another service: it was made, it was there, or name or address are somebody else's. */
export type RestoredAs = "new" | "known" | "foreign";

/**
 * Makes active accounts without a password, and without records in the catalog yet, for those who come from another
 * service; those that are there already stay as they are. Resolves to what became of each. An account is
 * the same when both its name and its address are: what somebody has elsewhere is not for whoever has his name here. One
 * transaction.
 */
export async function restoreAccounts(
  patrons: D1Database,
  accounts: readonly NewAccount[],
): Promise<RestoredAs[]> {
  const given = accounts.map(({ username, email, displayname, created }) => [
    username,
    username.toLowerCase(),
    email,
    email.toLowerCase(),
    displayname,
    created,
  ]);
  const list = sql`json_each(${JSON.stringify(given)}) e`;
  const database = drizzle(patrons);
  const [made, found] = await database.batch([
    database
      .insert(account)
      // All columns in the order of rows.ts; who is being removed does not come back.
      .select(
        sql`SELECT e.value->>0, e.value->>1, e.value->>3, e.value->>2, NULL, NULL, e.value->>4, 'active', 0, '[]', 0, 0,
              e.value->>5, NULL, '{}'
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
  const names = new Set(made.map(({ name }) => name));
  const places = new Set(found.map(({ place }) => place));
  return accounts.map(({ username }, place) => {
    if (!places.has(place)) return "foreign";
    return names.has(username.toLowerCase()) ? "new" : "known";
  });
}

/** Takes an account back that was just made, and that nobody has used. */
export async function withdrawAccount(patrons: D1Database, username: string): Promise<void> {
  const { passwordHash, subject, lastLogin } = account;
  await drizzle(patrons)
    .delete(account)
    .where(and(byUsername(username), isNull(passwordHash), isNull(subject), isNull(lastLogin)));
}

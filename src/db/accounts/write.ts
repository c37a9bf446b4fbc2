import { and, eq, ne, notExists, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type Database, prepare } from "../statement.ts";
import { type AccountStatus, type FoundAccount, ACCOUNT_COLUMNS } from "./read.ts";
import { account } from "./rows.ts";

/** A new password of an account. */
export interface PasswordChange {
  readonly username: string;
  readonly passwordHash: string;
  /** Only if this is the stored hash: a password set by somebody else meanwhile stays. */
  readonly instead?: string;
}

/** Stores a password's hash; false when there is no such account, or its password is another by now. */
export async function updatePassword(
  patrons: D1Database,
  { username, passwordHash, instead }: PasswordChange,
): Promise<boolean> {
  const same = instead === undefined ? undefined : eq(account.passwordHash, instead);
  const changed = await drizzle(patrons)
    .update(account)
    .set({ passwordHash })
    .where(and(byUsername(username), same))
    .returning({ username: account.username });
  return changed.length > 0;
}

/** Gives an account another e-mail address, unless another account has it. One transaction. */
export async function updateEmail(
  patrons: D1Database,
  { username, email }: { readonly username: string; readonly email: string },
): Promise<"updated" | "taken" | "missing"> {
  const database = drizzle(patrons);
  const emailFolded = email.toLowerCase();
  const others = database
    .select({ one: sql`1` })
    .from(sql`account AS other`)
    .where(sql`other.email_folded = ${emailFolded} AND other.username_folded <> ${username.toLowerCase()}`);
  const [changed, holders] = await database.batch([
    database
      .update(account)
      .set({ email, emailFolded })
      .where(and(byUsername(username), notExists(others)))
      .returning({ username: account.username }),
    database
      .select({ username: account.username })
      .from(account)
      .where(and(eq(account.emailFolded, emailFolded), ne(account.usernameFolded, username.toLowerCase()))),
  ]);
  if (changed.length > 0) return "updated";
  return holders.length > 0 ? "taken" : "missing";
}

/** Activates an account that waits for its confirmation; a blocked one stays so, also one that is being blocked just now. */
export async function activatePending(patrons: D1Database, username: string): Promise<void> {
  await drizzle(patrons)
    .update(account)
    .set({ status: "active" })
    .where(and(byUsername(username), eq(account.status, "pending")));
}

/** Sets the status of an account, whatever it was; false when there is none. Its sessions are the caller's to end. */
export async function setStatus(
  patrons: D1Database,
  username: string,
  status: AccountStatus,
): Promise<boolean> {
  return update(patrons, username, { status });
}

/** Sets the bot flag; false when there is no such account. */
export async function setBot(patrons: D1Database, username: string, bot: boolean): Promise<boolean> {
  return update(patrons, username, { bot });
}

/** Sets all tags of an account; false when there is none. How many there may be is the caller's to check. */
export async function setTags(
  patrons: D1Database,
  username: string,
  tags: readonly string[],
): Promise<boolean> {
  return update(patrons, username, { tags: [...tags] });
}

/** Notes that the catalog has the account's records now; false when there is no such account. */
export async function setHasRecords(patrons: D1Database, username: string): Promise<boolean> {
  return update(patrons, username, { hasRecords: true });
}

type Values = Partial<typeof account.$inferInsert>;

async function update(patrons: D1Database, username: string, values: Values): Promise<boolean> {
  const changed = await drizzle(patrons)
    .update(account)
    .set(values)
    .where(byUsername(username))
    .returning({ username: account.username });
  return changed.length > 0;
}

function byUsername(username: string) {
  return eq(account.usernameFolded, username.toLowerCase());
}

/** Tags of one account. */
export const ACCOUNT_TAGS_MAX = 50;

/** Adds a tag to an account that lacks it; false when nothing was added. Two additions at a time both hold. */
export async function addTag(patrons: Database, username: string, tag: string): Promise<boolean> {
  const { meta } = await prepare(patrons, {
    sql: `UPDATE account SET tags = json_insert(tags, '$[#]', ?2)
          WHERE username_folded = ?1 AND json_array_length(tags) < ${ACCOUNT_TAGS_MAX}
            AND NOT EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?2)`,
    values: [username.toLowerCase(), tag],
  }).run();
  return meta.changes > 0;
}

/** Takes a tag away from an account. */
export async function removeTag(patrons: Database, username: string, tag: string): Promise<void> {
  await prepare(patrons, {
    sql: `UPDATE account SET tags = (SELECT json_group_array(value) FROM json_each(tags) WHERE value <> ?2)
          WHERE username_folded = ?1`,
    values: [username.toLowerCase(), tag],
  }).run();
}

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

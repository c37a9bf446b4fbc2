import { and, eq, isNull, lte, ne, notExists, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { alias } from "drizzle-orm/sqlite-core";
import { ACCOUNT_COLUMNS, OUTBOX_MAX, type FoundAccount } from "./read-accounts.ts";
import { account, hasUsername, outbox, type AccountRow } from "./account-rows.ts";

/** Changes the email address of an account, unless another account has it. One transaction. */
export async function updateEmail(
  patrons: D1Database,
  { username, email }: { username: string; email: string },
): Promise<"updated" | "taken" | "missing"> {
  const database = drizzle(patrons);
  const emailFolded = email.toLowerCase();
  const other = alias(account, "other");
  const others = database
    .select({ username: other.username })
    .from(other)
    .where(and(eq(other.emailFolded, emailFolded), ne(other.usernameFolded, username.toLowerCase())));
  const [changed, holders] = await database.batch([
    database
      .update(account)
      .set({ email, emailFolded })
      .where(and(hasUsername(username), notExists(others)))
      .returning({ username: account.username }),
    others,
  ]);
  if (changed.length > 0) return "updated";
  return holders.length > 0 ? "taken" : "missing";
}

/** Activates an unconfirmed account; a blocked one stays blocked, even if it is blocked concurrently. */
export async function activatePending(patrons: D1Database, username: string): Promise<void> {
  await drizzle(patrons)
    .update(account)
    .set({ status: "active" })
    .where(and(hasUsername(username), eq(account.status, "pending")));
}

type AccountUpdate = Partial<
  Pick<AccountRow, "status" | "bot" | "tags" | "hasRecords" | "data" | "language">
>;

/**
 * Sets columns of an account, regardless of their old values; false if there is no account. Callers check the limits of
 * tags and data, and end the sessions of a blocked account.
 */
export async function setAccount(
  patrons: D1Database,
  username: string,
  values: AccountUpdate,
): Promise<boolean> {
  const changed = await drizzle(patrons)
    .update(account)
    .set(values)
    .where(hasUsername(username))
    .returning({ username: account.username });
  return changed.length > 0;
}

/** Sets the language of emails to an account that has none yet. */
export async function noteLanguage(patrons: D1Database, username: string, language: string): Promise<void> {
  await drizzle(patrons)
    .update(account)
    .set({ language })
    .where(and(hasUsername(username), isNull(account.language)));
}

export const ACCOUNT_TAGS_MAX = 50;

/** Adds a tag to an account that lacks it; false if nothing was added. Concurrent additions are both stored. */
export async function addTag(patrons: D1Database, username: string, tag: string): Promise<boolean> {
  const changed = await drizzle(patrons)
    .update(account)
    .set({ tags: sql`json_insert(tags, '$[#]', ${tag})` })
    .where(
      sql`${hasUsername(username)} AND json_array_length(tags) < ${ACCOUNT_TAGS_MAX}
        AND NOT EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ${tag})`,
    )
    .returning({ username: account.username });
  return changed.length > 0;
}

export async function removeTag(patrons: D1Database, username: string, tag: string): Promise<void> {
  await drizzle(patrons)
    .update(account)
    .set({ tags: sql`(SELECT json_group_array(value) FROM json_each(tags) WHERE value <> ${tag})` })
    .where(hasUsername(username));
}

/**
 * Records a login at a time in naive UTC if the account is active, and returns the account in any case; undefined if
 * there is none. One transaction.
 */
export async function noteLogin(
  patrons: D1Database,
  username: string,
  lastLogin: string,
): Promise<FoundAccount | undefined> {
  const database = drizzle(patrons);
  const named = hasUsername(username);
  const isActive = eq(account.status, "active");
  const [, [row]] = await database.batch([
    database.update(account).set({ lastLogin }).where(and(named, isActive)),
    database.select(ACCOUNT_COLUMNS).from(account).where(named),
  ]);
  return row;
}

/** Stores an email that is not sent, and deletes the oldest beyond `OUTBOX_MAX`. One transaction. */
export async function addToOutbox(
  patrons: D1Database,
  mail: Readonly<typeof outbox.$inferInsert>,
): Promise<void> {
  const database = drizzle(patrons);
  await database.batch([
    database.insert(outbox).values(mail),
    database.delete(outbox).where(lte(outbox.id, sql`(SELECT max(id) FROM outbox) - ${OUTBOX_MAX}`)),
  ]);
}

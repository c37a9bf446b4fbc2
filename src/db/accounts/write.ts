import { and, eq, lte, ne, notExists, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { alias } from "drizzle-orm/sqlite-core";
import { type FoundAccount, type Profile, ACCOUNT_COLUMNS, OUTBOX_MAX } from "./read.ts";
import { type AccountStatus, account, byUsername, outbox } from "./rows.ts";

/** Gives an account another e-mail address, unless another account has it. One transaction. */
export async function updateEmail(
  patrons: D1Database,
  { username, email }: { readonly username: string; readonly email: string },
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
      .where(and(byUsername(username), notExists(others)))
      .returning({ username: account.username }),
    others,
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
  return update(patrons, username, { tags });
}

/** Notes that the catalog has the account's records now; false when there is no such account. */
export async function setHasRecords(patrons: D1Database, username: string): Promise<boolean> {
  return update(patrons, username, { hasRecords: true });
}

/** Stores the whole profile of an account; its size is the caller's to check. */
export async function writeProfile(patrons: D1Database, username: string, data: Profile): Promise<void> {
  await update(patrons, username, { data });
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

/** Tags of one account. */
export const ACCOUNT_TAGS_MAX = 50;

/** Adds a tag to an account that lacks it; false when nothing was added. Two additions at a time both hold. */
export async function addTag(patrons: D1Database, username: string, tag: string): Promise<boolean> {
  const changed = await drizzle(patrons)
    .update(account)
    .set({ tags: sql`json_insert(tags, '$[#]', ${tag})` })
    .where(
      sql`${byUsername(username)} AND json_array_length(tags) < ${ACCOUNT_TAGS_MAX}
        AND NOT EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ${tag})`,
    )
    .returning({ username: account.username });
  return changed.length > 0;
}

/** Takes a tag away from an account. */
export async function removeTag(patrons: D1Database, username: string, tag: string): Promise<void> {
  await drizzle(patrons)
    .update(account)
    .set({ tags: sql`(SELECT json_group_array(value) FROM json_each(tags) WHERE value <> ${tag})` })
    .where(byUsername(username));
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
  const named = byUsername(username);
  const isActive = eq(account.status, "active");
  const [, [found]] = await database.batch([
    database.update(account).set({ lastLogin }).where(and(named, isActive)),
    database.select(ACCOUNT_COLUMNS).from(account).where(named),
  ]);
  return found;
}

/** Keeps a mail that is not sent, and forgets the oldest when there are more than `OUTBOX_MAX`. One transaction. */
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

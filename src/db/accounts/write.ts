import { and, eq, lte, ne, notExists, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { alias } from "drizzle-orm/sqlite-core";
import { type FoundAccount, ACCOUNT_COLUMNS, OUTBOX_MAX } from "./read.ts";
import { type AccountRow, account, byUsername, outbox } from "./rows.ts";

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

type AccountUpdate = Partial<Pick<AccountRow, "status" | "bot" | "tags" | "hasRecords" | "data">>;

/**
 * Sets columns of an account, whatever they were; false when there is none. How much there may be of tags and data is
 * the caller's to check, and the sessions of one that is blocked are his to end.
 */
export async function setAccount(
  patrons: D1Database,
  username: string,
  values: AccountUpdate,
): Promise<boolean> {
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

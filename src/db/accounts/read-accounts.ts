import { and, asc, count, desc, eq, getTableColumns, gt, gte, lt, sql, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import {
  account,
  hasUsername,
  isAmong,
  outbox,
  type AccountRow,
  type AccountStatus,
} from "./account-rows.ts";

const {
  passwordHash: _password,
  emailFolded: _folded,
  data: _profile,
  ...columns
} = getTableColumns(account);

export const ACCOUNT_COLUMNS = columns;

/**
 * Account without its password and profile. `usernameFolded`, in lower case, identifies accounts; `subject` is the
 * patron's id at the identity provider (null: not linked); `hasRecords` is false until the catalog has the records of
 * the account (src/catalog/accounts.ts).
 */
export type FoundAccount = Omit<AccountRow, "passwordHash" | "emailFolded" | "data">;

/** Key of an account: its username or address, in any case, or the patron's id at the identity provider. */
type AccountName = { readonly username: string } | { readonly email: string } | { readonly subject: string };

export async function findAccount(patrons: D1Database, by: AccountName): Promise<FoundAccount | undefined> {
  const [row] = await drizzle(patrons).select(ACCOUNT_COLUMNS).from(account).where(hasName(by)).limit(1);
  return row;
}

function hasName(by: AccountName): SQL {
  if ("username" in by) return hasUsername(by.username);
  return "email" in by ? eq(account.emailFolded, by.email.toLowerCase()) : eq(account.subject, by.subject);
}

/** Counts the accounts by status. One statement, which reads all of them. */
export async function countAccounts(patrons: D1Database): Promise<Record<AccountStatus, number>> {
  const groups = await drizzle(patrons)
    .select({ status: account.status, count: count() })
    .from(account)
    .groupBy(account.status);
  const counts = { pending: 0, active: 0, blocked: 0 };
  for (const { status, count: accounts } of groups) counts[status] = accounts;
  return counts;
}

/** Counts the accounts whose last login is at or after a time in naive UTC. One statement, along an index. */
export async function countLogins(patrons: D1Database, since: string): Promise<number> {
  return drizzle(patrons).$count(account, gte(account.lastLogin, since));
}

export const LISTED_ACCOUNTS_MAX = 100;

/** Sorts after all texts with the preceding prefix. */
const AFTER_ALL = "\u{10FFFF}";

interface AccountSearch {
  /** Prefix of usernames, or addresses, in any case; "" for all. */
  readonly prefix: string;
  readonly by?: "username" | "email";
  /** Last username, or address, of the previous page. */
  readonly after?: string;
  readonly limit?: number;
}

/** Lists accounts whose username or email address begins with a prefix, in its order; at most `LISTED_ACCOUNTS_MAX`. */
export async function listAccounts(patrons: D1Database, search: AccountSearch): Promise<FoundAccount[]> {
  const { by = "username", after, limit = LISTED_ACCOUNTS_MAX } = search;
  const column = by === "username" ? account.usernameFolded : account.emailFolded;
  const prefix = search.prefix.toLowerCase();
  const isFurther = after === undefined ? undefined : gt(column, after.toLowerCase());
  return drizzle(patrons)
    .select(ACCOUNT_COLUMNS)
    .from(account)
    .where(and(gte(column, prefix), lt(column, prefix + AFTER_ALL), isFurther))
    .orderBy(asc(column))
    .limit(Math.min(limit, LISTED_ACCOUNTS_MAX));
}

/** Returns the user keys that have an active account. One statement; none for no keys. */
export async function readActiveKeys(patrons: D1Database, keys: readonly string[]): Promise<Set<string>> {
  const accounts = await readAccountsOfKeys(patrons, keys);
  const active = new Set(
    accounts.flatMap(({ status, username }) => (status === "active" ? [`/people/${username}`] : [])),
  );
  return new Set(keys.filter((key) => active.has(key)));
}

/** Returns the user keys that have an account here. One statement; none for no keys. */
export async function readKnownAccounts(patrons: D1Database, keys: readonly string[]): Promise<Set<string>> {
  const accounts = await readAccountsOfKeys(patrons, keys);
  const folded = new Set(accounts.map(({ usernameFolded }) => `/people/${usernameFolded}`));
  return new Set(keys.filter((key) => folded.has(key.toLowerCase())));
}

async function readAccountsOfKeys(patrons: D1Database, keys: readonly string[]): Promise<FoundAccount[]> {
  if (keys.length === 0) return [];
  const names = keys.map((key) => key.slice("/people/".length).toLowerCase());
  return drizzle(patrons).select(ACCOUNT_COLUMNS).from(account).where(isAmong(account.usernameFolded, names));
}

/** Reads the user keys of all accounts with the bot flag. One statement. */
export async function readBotKeys(patrons: D1Database): Promise<string[]> {
  const { username } = account;
  // Not `= ?`, for which SQLite does not use the index of bots.
  const bots = await drizzle(patrons)
    .select({ username })
    .from(account)
    .where(sql`${account.bot} = 1`);
  return bots.map((bot) => `/people/${bot.username}`);
}

/** Reads usernames in lower case by the ids at the identity provider; ids without an account are absent. */
export async function readUsernamesOfSubjects(
  patrons: D1Database,
  subjects: readonly string[],
): Promise<Map<string, string>> {
  if (subjects.length === 0) return new Map();
  const { subject, usernameFolded } = account;
  const accounts = await drizzle(patrons)
    .select({ subject, usernameFolded })
    .from(account)
    .where(isAmong(subject, subjects));
  return new Map(accounts.map((row) => [row.subject ?? "", row.usernameFolded]));
}

/** Profile fields stored with an account that have no meaning for this service. */
export type Profile = AccountRow["data"];

export async function readProfile(patrons: D1Database, username: string): Promise<Profile> {
  const { data } = account;
  const [row] = await drizzle(patrons).select({ data }).from(account).where(hasUsername(username)).limit(1);
  return row?.data ?? {};
}

export const OUTBOX_MAX = 200;

/** Reads stored emails, the newest first; all, or those to one address. */
export async function readOutbox(
  patrons: D1Database,
  recipient?: string,
): Promise<(typeof outbox.$inferSelect)[]> {
  return drizzle(patrons)
    .select()
    .from(outbox)
    .where(recipient === undefined ? undefined : eq(outbox.recipient, recipient))
    .orderBy(desc(outbox.id))
    .limit(OUTBOX_MAX);
}

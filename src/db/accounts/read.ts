import { type SQL, and, asc, eq, gt, gte, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type Database, firstRow, rows } from "../statement.ts";
import { account } from "./rows.ts";

/** An account without its password. Times are naive UTC. */
export interface FoundAccount {
  /** As the patron spells it. */
  readonly username: string;
  /** In lower case: what tells accounts apart. */
  readonly usernameFolded: string;
  readonly email: string;
  readonly status: AccountStatus;
  readonly bot: boolean;
  readonly created: string;
  readonly displayname: string;
  /** Who the patron is at the identity provider; null when the account is not linked. */
  readonly subject: string | null;
  readonly tags: readonly string[];
  /** True when the provider grants access for the print-disabled. */
  readonly specialAccess: boolean;
  /** False until the catalog has the records of the account (src/catalog/accounts.ts). */
  readonly hasRecords: boolean;
  readonly lastLogin: string | null;
}

/** `pending`: the e-mail address is not confirmed yet. */
export type AccountStatus = "pending" | "active" | "blocked";

/** The columns of a `FoundAccount`: all but the password. */
export const ACCOUNT_COLUMNS = {
  username: account.username,
  usernameFolded: account.usernameFolded,
  email: account.email,
  status: account.status,
  bot: account.bot,
  created: account.created,
  displayname: account.displayname,
  subject: account.subject,
  tags: account.tags,
  specialAccess: account.specialAccess,
  hasRecords: account.hasRecords,
  lastLogin: account.lastLogin,
};

/** The account with a username or an e-mail address, whatever the case; undefined when there is none. */
export async function findAccount(
  patrons: D1Database,
  by: { readonly username: string } | { readonly email: string },
): Promise<FoundAccount | undefined> {
  return "username" in by
    ? findOne(patrons, eq(account.usernameFolded, by.username.toLowerCase()))
    : findOne(patrons, eq(account.emailFolded, by.email.toLowerCase()));
}

/** The account that is linked to somebody at the identity provider; undefined when there is none. */
export async function findBySubject(patrons: D1Database, subject: string): Promise<FoundAccount | undefined> {
  return findOne(patrons, eq(account.subject, subject));
}

/**
 * The stored hash of an account's password: null when it has none, undefined when there is no such account. Only
 * for comparing with a password.
 */
export async function readPasswordHash(
  patrons: D1Database,
  username: string,
): Promise<string | null | undefined> {
  const [found] = await drizzle(patrons)
    .select({ hash: account.passwordHash })
    .from(account)
    .where(eq(account.usernameFolded, username.toLowerCase()))
    .limit(1);
  return found?.hash;
}

async function findOne(patrons: D1Database, condition: SQL): Promise<FoundAccount | undefined> {
  const [found] = await drizzle(patrons).select(ACCOUNT_COLUMNS).from(account).where(condition).limit(1);
  return found;
}

/** How many accounts there are, by status. One statement, which looks at all of them. */
export async function countAccounts(patrons: Database): Promise<Record<AccountStatus, number>> {
  const found = await rows<{ status: AccountStatus; count: number }>(patrons, {
    sql: "SELECT status, count(*) AS count FROM account GROUP BY status",
    values: [],
  });
  const counts = { pending: 0, active: 0, blocked: 0 };
  for (const { status, count } of found) counts[status] = count;
  return counts;
}

/** How many accounts have last logged in at or after a time in naive UTC. One statement, along an index. */
export async function countLogins(patrons: Database, since: string): Promise<number> {
  const sql = "SELECT count(*) AS logins FROM account WHERE last_login >= ?1";
  return (await firstRow<{ logins: number }>(patrons, { sql, values: [since] }))?.logins ?? 0;
}

/** Accounts of one answer to an administrator. */
export const LISTED_ACCOUNTS_MAX = 100;

/** Above all texts that begin with what it follows. */
const AFTER_ALL = "\u{10FFFF}";

/** Which accounts an administrator looks for. */
interface AccountSearch {
  /** What usernames, or addresses, begin with, whatever the case; "" for all. */
  readonly prefix: string;
  readonly by?: "username" | "email";
  /** The last username, or address, of the answer before. */
  readonly after?: string;
  readonly limit?: number;
}

/** Accounts whose username or e-mail address begins with a text, in its order; at most `LISTED_ACCOUNTS_MAX`. */
export async function listAccounts(patrons: D1Database, search: AccountSearch): Promise<FoundAccount[]> {
  const { by = "username", after, limit = LISTED_ACCOUNTS_MAX } = search;
  const column = by === "username" ? account.usernameFolded : account.emailFolded;
  const prefix = search.prefix.toLowerCase();
  return drizzle(patrons)
    .select(ACCOUNT_COLUMNS)
    .from(account)
    .where(
      and(
        gte(column, prefix),
        lt(column, prefix + AFTER_ALL),
        after === undefined ? undefined : gt(column, after.toLowerCase()),
      ),
    )
    .orderBy(asc(column))
    .limit(Math.min(limit, LISTED_ACCOUNTS_MAX));
}

/** Those of the user keys whose accounts are active. One statement; none for no keys. */
export async function readActiveKeys(patrons: Database, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const found = await rows<{ key: string }>(patrons, {
    sql: `SELECT e.value AS key FROM json_each(?1) e
          JOIN account a ON a.username_folded = lower(substr(e.value, length('/people/') + 1))
          WHERE a.status = 'active' AND '/people/' || a.username = e.value`,
    values: [JSON.stringify(keys)],
  });
  return new Set(found.map(({ key }) => key));
}

/** User keys of all accounts that have the bot flag now. One statement. */
export async function readBotKeys(patrons: Database): Promise<string[]> {
  const sql = "SELECT '/people/' || username AS key FROM account WHERE bot = 1";
  return (await rows<{ key: string }>(patrons, { sql, values: [] })).map(({ key }) => key);
}

/** Those of the user keys that belong to an account here. One statement; none for no keys. */
export async function readKnownAccounts(patrons: Database, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const found = await rows<{ key: string }>(patrons, {
    sql: `SELECT e.value AS key FROM json_each(?1) e
          JOIN account a ON a.username_folded = lower(substr(e.value, length('/people/') + 1))`,
    values: [JSON.stringify(keys)],
  });
  return new Set(found.map(({ key }) => key));
}

/** Usernames in lower case by who they are at the identity provider; those without an account are absent. */
export async function readUsernamesOfSubjects(
  patrons: D1Database,
  subjects: readonly string[],
): Promise<Map<string, string>> {
  if (subjects.length === 0) return new Map();
  const found = await rows<{ subject: string; username: string }>(patrons, {
    sql: `SELECT subject, username_folded AS username FROM account
          WHERE subject IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify(subjects)],
  });
  return new Map(found.map(({ subject, username }) => [subject, username]));
}

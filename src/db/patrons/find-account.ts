import { type SQL, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { account } from "../schema/patrons.ts";

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
  /** False until the catalog has the records of the account (src/catalog/account-records.ts). */
  readonly hasRecords: boolean;
  readonly lastLogin: string | null;
}

/** `pending`: the e-mail address is not confirmed yet (patrons.md 3.2). */
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

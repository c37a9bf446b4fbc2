import { and, eq, gt, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { formatDatetime } from "../../catalog/datetime.ts";
import { ACCOUNT_COLUMNS, type FoundAccount } from "./read-accounts.ts";
import {
  account,
  accountLink,
  apiKey,
  hasUsername,
  type AccountRow,
  type LinkPurpose,
} from "./account-rows.ts";
import { isSameHash, secretHash } from "./secret-hash.ts";

export interface LinkCode {
  readonly code: string;
  readonly purpose: LinkPurpose;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type FoundLink = Pick<AccountRow, "username" | "email">;

/** Returns the owner of a link's code without using it up; undefined if it is unknown, used, replaced or too old. */
export async function findLink(patrons: D1Database, code: LinkCode): Promise<FoundLink | undefined> {
  const [link] = await drizzle(patrons)
    .select({ username: account.username, email: accountLink.email })
    .from(accountLink)
    .innerJoin(account, eq(account.usernameFolded, accountLink.usernameFolded))
    .where(isValidLink(code));
  return link;
}

/** Returns the condition that a row is the link of a code, and still valid. */
export function isValidLink({ code, purpose, now }: LinkCode): SQL | undefined {
  const { codeHash, expires } = accountLink;
  return and(
    eq(codeHash, secretHash(code)),
    eq(accountLink.purpose, purpose),
    gt(expires, formatDatetime(now)),
  );
}

/** Reads the address to which an account's link was emailed, and its expiry (naive UTC); undefined without a link. */
export async function readLink(
  patrons: D1Database,
  username: string,
  purpose: LinkPurpose,
): Promise<{ readonly email: string; readonly expires: string } | undefined> {
  const { email, expires } = accountLink;
  const [link] = await drizzle(patrons)
    .select({ email, expires })
    .from(accountLink)
    .where(isLinkOf(username, purpose));
  return link;
}

/** Returns the condition that a row is the link of an account for a purpose. */
export function isLinkOf(username: string, purpose: LinkPurpose): SQL | undefined {
  return and(eq(accountLink.usernameFolded, username.toLowerCase()), eq(accountLink.purpose, purpose));
}

export interface ApiKey {
  readonly access: string;
  readonly secret: string;
}

/** Characters of the date at the start of a time. */
const DAY_LENGTH = 10;
/** Replaces the stored hash of an unknown key, so that the check takes as long. */
const NO_HASH = secretHash("");

/**
 * Returns the account of a key pair, and records the day of its use; undefined if the pair is not valid. Compares
 * secrets in constant time.
 */
export async function checkApiKey(
  patrons: D1Database,
  { access, secret }: ApiKey,
  now: number,
): Promise<FoundAccount | undefined> {
  const database = drizzle(patrons);
  const [key] = await database
    .select({ secretHash: apiKey.secretHash, lastUsed: apiKey.lastUsed, account: ACCOUNT_COLUMNS })
    .from(apiKey)
    .innerJoin(account, eq(account.usernameFolded, apiKey.usernameFolded))
    .where(eq(apiKey.access, access));
  const isRight = isSameHash(secretHash(secret), key?.secretHash ?? NO_HASH);
  if (!isRight || key === undefined) return undefined;
  const lastUsed = formatDatetime(now).slice(0, DAY_LENGTH);
  if (key.lastUsed !== lastUsed) {
    await database.update(apiKey).set({ lastUsed }).where(eq(apiKey.access, access));
  }
  return key.account;
}

/** Key pair without its secret. Times are naive UTC; the last use is a day, or null for never. */
export type ApiKeyInfo = Pick<typeof apiKey.$inferSelect, "access" | "created" | "lastUsed">;

/** Reads the key pair of an account; undefined if it has none. */
export async function findApiKey(patrons: D1Database, username: string): Promise<ApiKeyInfo | undefined> {
  const { access, created, lastUsed, usernameFolded } = apiKey;
  const [key] = await drizzle(patrons)
    .select({ access, created, lastUsed })
    .from(apiKey)
    .where(eq(usernameFolded, username.toLowerCase()));
  return key;
}

/**
 * Reads the stored hash of an account's password: null if it has none, undefined if there is no such account. Only for
 * comparing with a password.
 */
export async function readPasswordHash(
  patrons: D1Database,
  username: string,
): Promise<string | null | undefined> {
  const { passwordHash: hash } = account;
  const [row] = await drizzle(patrons).select({ hash }).from(account).where(hasUsername(username));
  return row?.hash;
}

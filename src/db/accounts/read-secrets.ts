import { type SQL, and, eq, gt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { datetimeText } from "../../catalog/datetime.ts";
import { type FoundAccount, ACCOUNT_COLUMNS } from "./read.ts";
import { type AccountRow, type LinkPurpose, account, accountLink, apiKey, byUsername } from "./rows.ts";
import { isSameHash, secretHash } from "./secret-hash.ts";

/** A code of a link that somebody came with. */
export interface LinkCode {
  readonly code: string;
  readonly purpose: LinkPurpose;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Whose link it is. */
export type FoundLink = Pick<AccountRow, "username" | "email">;

/** Whose link a code is, without using it up; undefined when it is unknown, used, replaced or too old. */
export async function findLink(patrons: D1Database, code: LinkCode): Promise<FoundLink | undefined> {
  const [found] = await drizzle(patrons)
    .select({ username: account.username, email: accountLink.email })
    .from(accountLink)
    .innerJoin(account, eq(account.usernameFolded, accountLink.usernameFolded))
    .where(isGood(code));
  return found;
}

/** The link of a code, if it can still be used. */
export function isGood({ code, purpose, now }: LinkCode): SQL | undefined {
  const { codeHash, expires } = accountLink;
  return and(
    eq(codeHash, secretHash(code)),
    eq(accountLink.purpose, purpose),
    gt(expires, datetimeText(now)),
  );
}

/** Where a link of an account was mailed, and until when it works (naive UTC); undefined when there is none. */
export async function readLink(
  patrons: D1Database,
  username: string,
  purpose: LinkPurpose,
): Promise<{ readonly email: string; readonly expires: string } | undefined> {
  const { email, expires } = accountLink;
  const [found] = await drizzle(patrons)
    .select({ email, expires })
    .from(accountLink)
    .where(isLinkOf(username, purpose));
  return found;
}

/** The link of an account for a purpose. */
export function isLinkOf(username: string, purpose: LinkPurpose): SQL | undefined {
  return and(eq(accountLink.usernameFolded, username.toLowerCase()), eq(accountLink.purpose, purpose));
}

/** A key pair with which a program is an account. */
export interface ApiKey {
  readonly access: string;
  readonly secret: string;
}

/** Characters of a day at the start of a time. */
const DAY_LENGTH = 10;
/** Stands for the stored hash of a key that does not exist, so that it takes as long. */
const NO_HASH = secretHash("");

/**
 * The account of a key pair, whose use is noted, once a day; undefined when it is not a good one. Secrets are compared in
 * constant time.
 */
export async function checkApiKey(
  patrons: D1Database,
  { access, secret }: ApiKey,
  now: number,
): Promise<FoundAccount | undefined> {
  const database = drizzle(patrons);
  const [found] = await database
    .select({ secretHash: apiKey.secretHash, lastUsed: apiKey.lastUsed, account: ACCOUNT_COLUMNS })
    .from(apiKey)
    .innerJoin(account, eq(account.usernameFolded, apiKey.usernameFolded))
    .where(eq(apiKey.access, access));
  const isRight = isSameHash(secretHash(secret), found?.secretHash ?? NO_HASH);
  if (!isRight || found === undefined) return undefined;
  const lastUsed = datetimeText(now).slice(0, DAY_LENGTH);
  if (found.lastUsed !== lastUsed) {
    await database.update(apiKey).set({ lastUsed }).where(eq(apiKey.access, access));
  }
  return found.account;
}

/** A key pair without its secret. Times are naive UTC; of the last use there is the day, null: never. */
type KeptApiKey = Pick<typeof apiKey.$inferSelect, "access" | "created" | "lastUsed">;

/** The key pair of an account; undefined when it has none. */
export async function findApiKey(patrons: D1Database, username: string): Promise<KeptApiKey | undefined> {
  const { access, created, lastUsed, usernameFolded } = apiKey;
  const [found] = await drizzle(patrons)
    .select({ access, created, lastUsed })
    .from(apiKey)
    .where(eq(usernameFolded, username.toLowerCase()));
  return found;
}

/**
 * The stored hash of an account's password: null when it has none, undefined when there is no such account. Only
 * for comparing with a password.
 */
export async function readPasswordHash(
  patrons: D1Database,
  username: string,
): Promise<string | null | undefined> {
  const { passwordHash: hash } = account;
  const [found] = await drizzle(patrons).select({ hash }).from(account).where(byUsername(username));
  return found?.hash;
}

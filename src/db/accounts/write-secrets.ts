import { DAY_SECONDS } from "../../catalog/units.ts";
import { and, eq, exists, notExists, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type ApiKey, type FoundLink, type LinkCode, isValidLink, isLinkOf } from "./read-secrets.ts";
import { secretHash } from "./secret-hash.ts";
import { type LinkPurpose, account, accountLink, apiKey, hasUsername } from "./account-rows.ts";

/** Lifetime of an emailed link, in seconds, by its purpose. */
export const LINK_SECONDS: Readonly<Record<LinkPurpose, number>> = {
  verify: DAY_SECONDS,
  email: DAY_SECONDS,
  password: 3600,
};
/** Expired links that are deleted when a new one is created. */
const OLD_LINKS_MAX = 100;

/** New link. `code`: 32 random hex digits, of which only the hash is stored. */
interface NewLink extends LinkCode {
  readonly username: string;
  /** Address that the link is sent to; for `email` the new address. */
  readonly email: string;
}

/** Stores a link, replacing an older one of the account for the same purpose. One transaction. */
export async function createLink(patrons: D1Database, link: NewLink): Promise<void> {
  const { username, purpose, email, code, now } = link;
  const expires = formatDatetime(now + LINK_SECONDS[purpose] * 1000);
  const values = { codeHash: secretHash(code), email, expires };
  const database = drizzle(patrons);
  await database.batch([
    database.delete(accountLink).where(sql`(username_folded, purpose) IN (
      SELECT username_folded, purpose FROM account_link WHERE expires <= ${formatDatetime(now)}
      ORDER BY expires LIMIT ${OLD_LINKS_MAX})`),
    database
      .insert(accountLink)
      .values({ usernameFolded: username.toLowerCase(), purpose, ...values })
      .onConflictDoUpdate({ target: [accountLink.usernameFolded, accountLink.purpose], set: values }),
  ]);
}

/** Uses up a code: of concurrent callers, one gets the link; all others get undefined. */
export async function takeLink(patrons: D1Database, code: LinkCode): Promise<FoundLink | undefined> {
  const [link] = await drizzle(patrons)
    .delete(accountLink)
    .where(isValidLink(code))
    .returning({
      username: sql<
        string | null
      >`(SELECT a.username FROM account a WHERE a.username_folded = account_link.username_folded)`,
      email: accountLink.email,
    });
  if (link === undefined || link.username === null) return undefined;
  return { username: link.username, email: link.email };
}

/** Makes an emailed link of an account void; unknown links are no error. */
export async function deleteLink(patrons: D1Database, username: string, purpose: LinkPurpose): Promise<void> {
  await drizzle(patrons).delete(accountLink).where(isLinkOf(username, purpose));
}

interface NewApiKey extends ApiKey {
  readonly username: string;
  /** Naive UTC. */
  readonly created: string;
  /** Stored hash of the password that was proved (null: there is none). The pair is only stored if it is unchanged. */
  readonly proof?: string | null;
}

/**
 * Stores the key pair of an account, replacing the previous one; only a hash of the secret is stored. False if the
 * password has been changed meanwhile, which has ended the older pair too. One transaction.
 */
export async function createApiKey(patrons: D1Database, key: NewApiKey): Promise<boolean> {
  const { username, access, created, proof } = key;
  const usernameFolded = username.toLowerCase();
  const values = { access, secretHash: secretHash(key.secret), created, lastUsed: null };
  const database = drizzle(patrons);
  const isSame = proof === undefined ? undefined : sql`${account.passwordHash} IS ${proof}`;
  const owner = database
    .select({ username: account.username })
    .from(account)
    .where(and(hasUsername(username), isSame));
  const [, withdrawn] = await database.batch([
    database
      .insert(apiKey)
      .values({ usernameFolded, ...values })
      .onConflictDoUpdate({ target: apiKey.usernameFolded, set: values }),
    database
      .delete(apiKey)
      .where(and(eq(apiKey.usernameFolded, usernameFolded), notExists(owner)))
      .returning({ access: apiKey.access }),
  ]);
  return withdrawn.length === 0;
}

export async function deleteApiKey(patrons: D1Database, username: string): Promise<void> {
  await drizzle(patrons).delete(apiKey).where(eq(apiKey.usernameFolded, username.toLowerCase()));
}

/**
 * Replaces the password of an account, which ends its key pair and the link for a new password. False if there is no
 * such account, or its stored hash is not `instead` any more. One transaction.
 */
export async function updatePassword(
  patrons: D1Database,
  { username, passwordHash, instead }: { username: string; passwordHash: string; instead?: string },
): Promise<boolean> {
  const database = drizzle(patrons);
  const same = instead === undefined ? undefined : eq(account.passwordHash, instead);
  // The salt makes the hash unique.
  const isChanged = exists(
    database
      .select({ username: account.username })
      .from(account)
      .where(and(hasUsername(username), eq(account.passwordHash, passwordHash))),
  );
  const [changed] = await database.batch([
    database
      .update(account)
      .set({ passwordHash })
      .where(and(hasUsername(username), same))
      .returning({ username: account.username }),
    database.delete(apiKey).where(and(eq(apiKey.usernameFolded, username.toLowerCase()), isChanged)),
    database.delete(accountLink).where(and(isLinkOf(username, "password"), isChanged)),
  ]);
  return changed.length > 0;
}

/** Stores another hash of the same password, unless the password has been changed meanwhile. */
export async function rehashPassword(
  patrons: D1Database,
  { username, passwordHash, instead }: { username: string; passwordHash: string; instead: string },
): Promise<void> {
  await drizzle(patrons)
    .update(account)
    .set({ passwordHash })
    .where(and(hasUsername(username), eq(account.passwordHash, instead)));
}

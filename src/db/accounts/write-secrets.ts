import { type SQL, and, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { datetimeText } from "../../catalog/datetime.ts";
import { type ApiKey, type FoundLink, type LinkCode, isGood, isLinkOf } from "./read-secrets.ts";
import { type LinkPurpose, account, accountLink, apiKey, byUsername } from "./rows.ts";
import { secretHash } from "./secret-hash.ts";

/** How long a link in a mail works: 14 days. */
export const LINK_SECONDS = 14 * 86_400;
/** Links too old that are removed when a new one is made. */
const OLD_LINKS_MAX = 100;

/** A link to be made. `code`: 32 hex digits at random, of which only the hash is stored. */
interface NewLink extends LinkCode {
  readonly username: string;
  /** Where the link is sent; for `email` the new address. */
  readonly email: string;
}

/** Stores a link, instead of an older one of the account for the same purpose. One transaction. */
export async function createLink(patrons: D1Database, link: NewLink): Promise<void> {
  const { username, purpose, email, code, now } = link;
  const values = { codeHash: secretHash(code), email, expires: datetimeText(now + LINK_SECONDS * 1000) };
  const database = drizzle(patrons);
  await database.batch([
    database.delete(accountLink).where(isOld(datetimeText(now))),
    database
      .insert(accountLink)
      .values({ usernameFolded: username.toLowerCase(), purpose, ...values })
      .onConflictDoUpdate({ target: [accountLink.usernameFolded, accountLink.purpose], set: values }),
  ]);
}

/** The links that ran out first. */
function isOld(now: string): SQL {
  return sql`(username_folded, purpose) IN (
    SELECT username_folded, purpose FROM account_link WHERE expires <= ${now} ORDER BY expires LIMIT ${OLD_LINKS_MAX})`;
}

/** Uses up a code: of several that come with it, one gets the link; all others get undefined. */
export async function takeLink(patrons: D1Database, code: LinkCode): Promise<FoundLink | undefined> {
  const [found] = await drizzle(patrons)
    .delete(accountLink)
    .where(isGood(code))
    .returning({
      username: sql<
        string | null
      >`(SELECT a.username FROM account a WHERE a.username_folded = account_link.username_folded)`,
      email: accountLink.email,
    });
  if (found === undefined || found.username === null) return undefined;
  return { username: found.username, email: found.email };
}

/** Makes a link of an account void that may be on its way in a mail; unknown ones are no error. */
export async function deleteLink(patrons: D1Database, username: string, purpose: LinkPurpose): Promise<void> {
  await drizzle(patrons).delete(accountLink).where(isLinkOf(username, purpose));
}

/** Stores the key pair of an account, instead of the one that it had; only a hash of the secret is kept. */
export async function createApiKey(
  patrons: D1Database,
  key: ApiKey & {
    readonly username: string;
    /** Naive UTC. */
    readonly created: string;
  },
): Promise<void> {
  const { username, access, created } = key;
  const values = { access, secretHash: secretHash(key.secret), created };
  await drizzle(patrons)
    .insert(apiKey)
    .values({ usernameFolded: username.toLowerCase(), ...values })
    .onConflictDoUpdate({ target: apiKey.usernameFolded, set: values });
}

/** Makes the key pair of an account void. */
export async function deleteApiKey(patrons: D1Database, username: string): Promise<void> {
  await drizzle(patrons).delete(apiKey).where(eq(apiKey.usernameFolded, username.toLowerCase()));
}

/** A new password of an account. */
interface PasswordChange {
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

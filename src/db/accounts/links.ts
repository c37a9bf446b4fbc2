import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { datetimeText } from "../../catalog/datetime.ts";
import { type Statement, batchRows, firstRow } from "../statement.ts";
import { accountLink } from "./rows.ts";
import { secretHash } from "./secret-hash.ts";

/** How long a link in a mail works: 14 days. */
export const LINK_SECONDS = 14 * 86_400;
/** Links too old that are removed when a new one is made. */
const OLD_LINKS_MAX = 100;

/** What a link in a mail is for: to confirm an address, to set a new password, to change the address. */
export type LinkPurpose = "verify" | "password" | "email";

/** A link to be made. */
interface NewLink {
  readonly username: string;
  readonly purpose: LinkPurpose;
  /** Where the link is sent; for `email` the new address. */
  readonly email: string;
  /** 32 hex digits at random. Only its hash is stored. */
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Whose link it is. */
interface FoundLink {
  readonly username: string;
  readonly email: string;
}

/** A code that somebody came with, at `now` in milliseconds since the epoch. */
type LinkCode = Pick<NewLink, "code" | "purpose" | "now">;

const INSERT = `
  INSERT OR REPLACE INTO account_link (username_folded, purpose, code_hash, email, expires)
  VALUES (?1, ?2, ?3, ?4, ?5)`;
const CLEAN = `
  DELETE FROM account_link WHERE (username_folded, purpose) IN
    (SELECT username_folded, purpose FROM account_link WHERE expires <= ?1 ORDER BY expires LIMIT ?2)`;
const USERNAME = `
  (SELECT username FROM account WHERE account.username_folded = account_link.username_folded) AS username`;
const GOOD = "code_hash = ?1 AND purpose = ?2 AND expires > ?3";

/** Stores a link, instead of an older one of the account for the same purpose. One transaction. */
export async function createLink(patrons: D1Database, link: NewLink): Promise<void> {
  const { username, purpose, email, code, now } = link;
  const expires = datetimeText(now + LINK_SECONDS * 1000);
  await batchRows(patrons, [
    { sql: CLEAN, values: [datetimeText(now), OLD_LINKS_MAX] },
    { sql: INSERT, values: [username.toLowerCase(), purpose, secretHash(code), email, expires] },
  ]);
}

/** Whose link a code is, without using it up; undefined when it is unknown, used, replaced or too old. */
export async function findLink(patrons: D1Database, code: LinkCode): Promise<FoundLink | undefined> {
  return linkOf(patrons, {
    sql: `SELECT ${USERNAME}, email FROM account_link WHERE ${GOOD}`,
    values: valuesOf(code),
  });
}

/** Uses up a code: of several that come with it, one gets the link; all others get undefined. */
export async function takeLink(patrons: D1Database, code: LinkCode): Promise<FoundLink | undefined> {
  const sql = `DELETE FROM account_link WHERE ${GOOD} RETURNING ${USERNAME}, email`;
  return linkOf(patrons, { sql, values: valuesOf(code) });
}

function valuesOf({ code, purpose, now }: LinkCode): string[] {
  return [secretHash(code), purpose, datetimeText(now)];
}

async function linkOf(patrons: D1Database, statement: Statement): Promise<FoundLink | undefined> {
  const found = await firstRow<{ username: string | null; email: string }>(patrons, statement);
  if (found === undefined || found.username === null) return undefined;
  return { username: found.username, email: found.email };
}

/** Makes a link of an account void that may be on its way in a mail; unknown ones are no error. */
export async function deleteLink(patrons: D1Database, username: string, purpose: LinkPurpose): Promise<void> {
  await drizzle(patrons)
    .delete(accountLink)
    .where(and(eq(accountLink.usernameFolded, username.toLowerCase()), eq(accountLink.purpose, purpose)));
}

import { DEFAULT_PREFIX } from "./keys.ts";
import type { CatalogRecord } from "./record.ts";
import { groupKeyOf } from "./roles.ts";

/**
 * Builds the records of a new account, without envelope: the user, the user's group, and the permission that limits
 * writing below the user's key to the user and administrators. They are saved as one change of kind `new-account`.
 */
export function buildAccountRecords(username: string, displayname: string): CatalogRecord[] {
  const user = `/people/${username}`;
  const group = `${user}/usergroup`;
  const permission = `${user}/permission`;
  return [
    { key: user, type: { key: "/type/user" }, displayname, permission: { key: permission } },
    { key: group, type: { key: "/type/usergroup" }, members: [{ key: user }] },
    {
      key: permission,
      type: { key: "/type/permission" },
      readers: [{ key: groupKeyOf("everyone") }],
      writers: [{ key: group }],
      admins: [{ key: group }],
    },
  ];
}

/** Longest email address, in characters (RFC 5321). */
export const EMAIL_LENGTH_MAX = 254;

const EMAIL =
  /^[^\s@<>(),;:"[\]\\\p{Cc}]{1,64}@[^\s@<>(),;:"[\]\\\p{Cc}.]+(?:\.[^\s@<>(),;:"[\]\\\p{Cc}.]+)+$/u;

/** Returns true for a possible email address: one `@`, a host with a dot, no characters that are special in email headers. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text);
}

/** Returns an address in the form sent to identity providers: trimmed, in lower case. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Minimum and maximum length of a username that a patron chooses, in characters. */
export const USERNAME_LENGTH = { min: 3, max: 20 };

const USERNAME_ATTEMPTS = 5;
const SUFFIXES = 10_000;

const PATTERN = new RegExp(`^[\\w-]{${USERNAME_LENGTH.min},${USERNAME_LENGTH.max}}$`);
const RESERVED = new Set(["admin", "accountbot", "importbot"]);
const ANONYMOUS = "anonymous-";

/** Reason of rejecting a username: its characters or length; it looks like a record id; it is reserved. */
export type UsernameProblem = "pattern" | "record-id" | "reserved";

/** Returns the problem with a username, regardless of existing accounts; undefined if there is none. */
export function checkUsername(username: string, prefix = DEFAULT_PREFIX): UsernameProblem | undefined {
  if (!PATTERN.test(username)) return "pattern";
  if (new RegExp(`^${prefix}\\d+[A-Z]$`, "i").test(username)) return "record-id";
  return isReservedUsername(username) ? "reserved" : undefined;
}

/** Returns true for names that the service itself uses, in any case. */
export function isReservedUsername(username: string): boolean {
  const folded = username.toLowerCase();
  return RESERVED.has(folded) || folded.startsWith(ANONYMOUS);
}

/**
 * Returns usernames for the name `preferred` at an identity provider, best first: the name with invalid
 * characters replaced, then the name with a number, which may be longer than a patron could choose (Q143). None is
 * reserved. `random` returns numbers from 0 to 1, 1 not included.
 */
export function suggestUsernames(
  preferred: string,
  { random, prefix = DEFAULT_PREFIX }: { random: () => number; prefix?: string },
): string[] {
  const plain = preferred.replace(/^@/, "").replace(/[^\w-]/gu, "_");
  const isAnonymous = plain.toLowerCase().startsWith(ANONYMOUS);
  const base = (isAnonymous ? `_${plain}` : plain)
    .slice(0, USERNAME_LENGTH.max)
    .padEnd(USERNAME_LENGTH.min, "_");
  const numbered = Array.from(
    { length: USERNAME_ATTEMPTS },
    () => `${base}${Math.floor(random() * SUFFIXES)}`,
  );
  return checkUsername(base, prefix) === undefined ? [base, ...numbered] : numbered;
}

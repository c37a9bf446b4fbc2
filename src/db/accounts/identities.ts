import { type SQL, and, eq, isNotNull, isNull, notExists } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { alias } from "drizzle-orm/sqlite-core";
import { type AccountRow, account } from "./account-rows.ts";

interface LinkedIdentity {
  readonly subject: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly displayname: string;
  readonly specialAccess: boolean;
  /** Candidate usernames for a new account: the first free one is used. */
  readonly usernames: readonly string[];
  /** Naive UTC. */
  readonly now: string;
}

/** Account of an identity, and the way it was linked. `moved`: the account was linked to another identity before. */
interface LinkedAccount extends Pick<AccountRow, "username" | "status" | "hasRecords"> {
  readonly event: "found" | "linked" | "moved" | "created";
}

/** Reason of a failed linking: the address is not verified, or every username is taken. */
export type LinkFailure = "unverified" | "no-username";

/**
 * Finds, links or creates the account of an identity, activates it and records the login. One transaction, so of
 * concurrent first logins one creates the account and the others find it.
 */
export async function linkIdentity(
  patrons: D1Database,
  identity: LinkedIdentity,
): Promise<LinkedAccount | LinkFailure> {
  const { subject, email, isVerified, displayname, specialAccess, usernames, now } = identity;
  const database = drizzle(patrons);
  const { username, status, hasRecords } = account;
  const columns = { username, status, hasRecords };
  const isOwn = eq(account.subject, subject);
  const noteLogin = database
    .update(account)
    .set({ lastLogin: now, specialAccess })
    .where(and(isOwn, eq(status, "active")));
  const find = database.select(columns).from(account).where(isOwn);
  if (!isVerified) {
    const [, [known]] = await database.batch([noteLogin, find]);
    return known === undefined ? "unverified" : { event: "found", ...known };
  }
  const emailFolded = email.toLowerCase();
  const other = alias(account, "other");
  const hasOne = database.select({ one: other.username }).from(other).where(eq(other.subject, subject));
  /** Links the account of the address to the identity if the identity has none. */
  const takeOver = (condition: SQL) =>
    database
      .update(account)
      .set({ subject })
      .where(and(eq(account.emailFolded, emailFolded), notExists(hasOne), condition))
      .returning({ username });
  const created = { email, emailFolded, subject, displayname, specialAccess, created: now, lastLogin: now };
  const [moved, linked, , , [existing], ...insertions] = await database.batch([
    takeOver(isNotNull(account.subject)),
    takeOver(isNull(account.subject)),
    // Q141: a person who registered with the address before has not proved to own it, so their password must not stay.
    database
      .update(account)
      .set({ status: "active", passwordHash: null })
      .where(and(isOwn, eq(status, "pending"))),
    noteLogin,
    find,
    ...usernames.map((name) =>
      database
        .insert(account)
        .values({ ...created, username: name, usernameFolded: name.toLowerCase(), status: "active" })
        .onConflictDoNothing()
        .returning(columns),
    ),
  ]);
  if (existing !== undefined) {
    const event = moved.length > 0 ? "moved" : linked.length > 0 ? "linked" : "found";
    return { event, ...existing };
  }
  const [inserted] = insertions.flat();
  return inserted === undefined ? "no-username" : { event: "created", ...inserted };
}

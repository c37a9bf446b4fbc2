import { type Statement, batchRows } from "../statement.ts";
import type { AccountStatus } from "./read.ts";

/** Somebody whom the identity provider knows, as the linking needs him. */
interface LinkedIdentity {
  readonly subject: string;
  readonly email: string;
  /** True when the provider has made sure that the address is his. */
  readonly isVerified: boolean;
  readonly displayname: string;
  readonly specialAccess: boolean;
  /** Usernames for a new account: the first that is free is taken. */
  readonly usernames: readonly string[];
  /** Naive UTC. */
  readonly now: string;
}

/** How an identity came to its account. `moved`: the account was linked to another identity before. */
type LinkEvent = "found" | "linked" | "moved" | "created";

/** The account of an identity. */
export interface LinkedAccount {
  readonly event: LinkEvent;
  readonly username: string;
  readonly status: AccountStatus;
  /** False until the catalog has the records of the account. */
  readonly hasRecords: boolean;
}

/** Why an identity has no account: its address is not verified, or every username is taken. */
export type LinkFailure = "unverified" | "no-username";

// ?1 subject, ?2 verified, ?3 e-mail folded: the account of the address becomes that of an identity without one.
const TAKE_OVER = `
  UPDATE account SET subject = ?1
  WHERE email_folded = ?3 AND ?2 AND NOT EXISTS (SELECT 1 FROM account WHERE subject = ?1)`;
const RETURNING = "RETURNING username";
const MOVE = `${TAKE_OVER} AND subject IS NOT NULL ${RETURNING}`;
const LINK = `${TAKE_OVER} AND subject IS NULL ${RETURNING}`;
const CREATE = `
  INSERT INTO account (username, username_folded, email_folded, email, subject, displayname, status, created)
  SELECT n.value->>0, n.value->>1, ?3, ?4, ?1, ?5, 'active', ?6 FROM json_each(?7) n
  WHERE ?2 AND NOT EXISTS (SELECT 1 FROM account WHERE subject = ?1 OR email_folded = ?3 OR username_folded = n.value->>1)
  ORDER BY n.key LIMIT 1 ${RETURNING}`;
// Q141: whoever registered with the address before has not proved that it is his, so his password must not stay.
const ACTIVATE = `
  UPDATE account SET status = 'active', password_hash = NULL WHERE subject = ?1 AND ?2 AND status = 'pending'`;
const NOTE_LOGIN = `
  UPDATE account SET last_login = ?2, special_access = ?3 WHERE subject = ?1 AND status = 'active'`;
const FIND = "SELECT username, status, has_records FROM account WHERE subject = ?1";

/**
 * Finds, links or creates the account of an identity, activates it and notes the login. One transaction, so of many
 * first logins at a time one creates the account and the others find it.
 */
export async function linkIdentity(
  patrons: D1Database,
  identity: LinkedIdentity,
): Promise<LinkedAccount | LinkFailure> {
  const [moved = [], linked = [], created = [], , , found = []] = await batchRows(
    patrons,
    statements(identity),
  );
  // What FIND selects.
  const [row] = found as { username: string; status: AccountStatus; has_records: number }[];
  if (row === undefined) return identity.isVerified ? "no-username" : "unverified";
  let event: LinkEvent = "found";
  if (moved.length > 0) event = "moved";
  if (linked.length > 0) event = "linked";
  if (created.length > 0) event = "created";
  return { event, username: row.username, status: row.status, hasRecords: row.has_records === 1 };
}

function statements(identity: LinkedIdentity): Statement[] {
  const { subject, email, displayname, specialAccess, usernames, now } = identity;
  const isVerified = Number(identity.isVerified);
  const who = [subject, isVerified, email.toLowerCase()];
  const names = JSON.stringify(usernames.map((name) => [name, name.toLowerCase()]));
  return [
    { sql: MOVE, values: who },
    { sql: LINK, values: who },
    { sql: CREATE, values: [...who, email, displayname, now, names] },
    { sql: ACTIVATE, values: [subject, isVerified] },
    { sql: NOTE_LOGIN, values: [subject, now, Number(specialAccess)] },
    { sql: FIND, values: [subject] },
  ];
}

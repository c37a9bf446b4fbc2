import { batchRows, prepare } from "../statement.ts";

/** An account that comes from another service: without a password, and without records in the catalog yet. */
interface RestoredAccount {
  readonly username: string;
  readonly email: string;
  readonly displayname: string;
  /** Naive UTC. */
  readonly created: string;
}

/** What became of one of them: it was made, it was there, or name or address are somebody else's. */
export type RestoredAs = "new" | "known" | "foreign";

/**
 * Makes active accounts; those that are there already stay as they are. Resolves to what became of each. An account is
 * the same when both its name and its address are: what somebody has elsewhere is not for whoever has his name here. One
 * transaction.
 */
export async function restoreAccounts(
  patrons: D1Database,
  accounts: readonly RestoredAccount[],
): Promise<RestoredAs[]> {
  const given = accounts.map(({ username, email, displayname, created }) => [
    username,
    username.toLowerCase(),
    email,
    email.toLowerCase(),
    displayname,
    created,
  ]);
  const values = [JSON.stringify(given)];
  const [made = [], found = []] = await batchRows(patrons, [
    {
      sql: `INSERT OR IGNORE INTO account
              (username, username_folded, email, email_folded, displayname, status, created)
            SELECT e.value->>0, e.value->>1, e.value->>2, e.value->>3, e.value->>4, 'active', e.value->>5
            FROM json_each(?1) e WHERE e.value->>1 NOT IN (SELECT username_folded FROM removal)
            RETURNING username_folded AS name`,
      values,
    },
    {
      sql: `SELECT e.key AS place FROM json_each(?1) e
            JOIN account a ON a.username_folded = e.value->>1 AND a.email_folded = e.value->>3`,
      values,
    },
  ]);
  // The rows have the columns of their statements.
  const names = new Set((made as { name: string }[]).map(({ name }) => name));
  const places = new Set((found as { place: number }[]).map(({ place }) => place));
  return accounts.map(({ username }, place) => {
    if (!places.has(place)) return "foreign";
    return names.has(username.toLowerCase()) ? "new" : "known";
  });
}

/** Takes an account back that was just made, and that nobody has used. */
export async function withdrawAccount(patrons: D1Database, username: string): Promise<void> {
  const sql = `DELETE FROM account
               WHERE username_folded = ?1 AND password_hash IS NULL AND subject IS NULL AND last_login IS NULL`;
  await prepare(patrons, { sql, values: [username.toLowerCase()] }).run();
}

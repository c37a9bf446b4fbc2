import { type Database, firstRow } from "../statement.ts";

/** How many accounts have last logged in at or after a time in naive UTC. One statement, along an index. */
export async function countLogins(patrons: Database, since: string): Promise<number> {
  const sql = "SELECT count(*) AS logins FROM account WHERE last_login >= ?1";
  return (await firstRow<{ logins: number }>(patrons, { sql, values: [since] }))?.logins ?? 0;
}

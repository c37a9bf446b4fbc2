import { type Database, rows } from "../statement.ts";

/** User keys of all accounts that have the bot flag now. One statement. */
export async function readBotKeys(patrons: Database): Promise<string[]> {
  const sql = "SELECT '/people/' || username AS key FROM account WHERE bot = 1";
  return (await rows<{ key: string }>(patrons, { sql, values: [] })).map(({ key }) => key);
}

/** Those of the user keys that belong to an account here. One statement; none for no keys. */
export async function readKnownAccounts(patrons: Database, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const found = await rows<{ key: string }>(patrons, {
    sql: `SELECT e.value AS key FROM json_each(?1) e
          JOIN account a ON a.username_folded = lower(substr(e.value, length('/people/') + 1))`,
    values: [JSON.stringify(keys)],
  });
  return new Set(found.map(({ key }) => key));
}

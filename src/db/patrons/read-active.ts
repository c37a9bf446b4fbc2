import { type Database, rows } from "../statement.ts";

/** Those of the user keys whose accounts are active. One statement; none for no keys. */
export async function readActiveKeys(patrons: Database, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const found = await rows<{ key: string }>(patrons, {
    sql: `SELECT e.value AS key FROM json_each(?1) e
          JOIN account a ON a.username_folded = lower(substr(e.value, length('/people/') + 1))
          WHERE a.status = 'active' AND '/people/' || a.username = e.value`,
    values: [JSON.stringify(keys)],
  });
  return new Set(found.map(({ key }) => key));
}

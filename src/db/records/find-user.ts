import { type Database, firstRow, rows } from "../statement.ts";

/** Key of the user with a name, whatever its case; undefined when there is none. */
export async function findUserKey(database: Database, username: string): Promise<string | undefined> {
  const row = await firstRow<{ key: string }>(database, {
    sql: "SELECT key FROM record WHERE type = '/type/user' AND lower(key) = lower(?1) LIMIT 1",
    values: [`/people/${username}`],
  });
  return row?.key;
}

/** Those of the usernames, in lower case, that records have, whatever their case: of users, or of those who have left. */
export async function readRecordedNames(
  database: Database,
  usernames: readonly string[],
): Promise<Set<string>> {
  const found = await rows<{ name: string }>(database, {
    sql: `SELECT lower(e.value) AS name FROM json_each(?1) e
          WHERE EXISTS (SELECT 1 FROM record WHERE key = '/people/' || e.value)
             OR EXISTS (SELECT 1 FROM record
                        WHERE type = '/type/user' AND lower(key) = lower('/people/' || e.value))`,
    values: [JSON.stringify(usernames)],
  });
  return new Set(found.map(({ name }) => name));
}

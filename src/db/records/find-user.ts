import { type Database, firstRow } from "../statement.ts";

/** Key of the user with a name, whatever its case; undefined when there is none. */
export async function findUserKey(database: Database, username: string): Promise<string | undefined> {
  const row = await firstRow<{ key: string }>(database, {
    sql: "SELECT key FROM record WHERE type = '/type/user' AND lower(key) = lower(?1) LIMIT 1",
    values: [`/people/${username}`],
  });
  return row?.key;
}

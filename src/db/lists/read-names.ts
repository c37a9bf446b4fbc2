import { type Json, textOf } from "../../catalog/record.ts";
import { type Database, rows } from "../statement.ts";

/** Names of records by key, such as those of authors; records without one are left out. One statement or none. */
export async function readNames(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const found = await rows<{ key: string; name: string | null }>(database, {
    sql: `SELECT key, document -> '$.name' AS name FROM record
          WHERE key IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify([...new Set(keys)])],
  });
  return new Map(
    found.flatMap(({ key, name }) => {
      // A part of a stored document.
      const text = name === null ? undefined : textOf(JSON.parse(name) as Json);
      return text === undefined || text === "" ? [] : [[key, text] as const];
    }),
  );
}

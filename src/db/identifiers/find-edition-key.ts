import { type Database, firstRow } from "../statement.ts";
import type { Wanted } from "./find-editions.ts";

/** Key of the edition that has one of the identifiers, the first in the list that any edition has. */
export async function findEditionKey(
  database: Database,
  wanted: readonly Wanted[],
): Promise<string | undefined> {
  const row = await firstRow<{ key: string }>(database, {
    sql: `SELECT r.key FROM json_each(?1) w
          JOIN identifier i ON i.kind = w.value->>0 AND i.value = w.value->>1
          JOIN record r ON r.id = i.edition_id
          ORDER BY w.key, i.edition_id LIMIT 1`,
    values: [JSON.stringify(wanted.map(({ kind, value }) => [kind, value]))],
  });
  return row?.key;
}

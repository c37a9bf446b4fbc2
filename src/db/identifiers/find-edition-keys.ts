import { type Database, rows } from "../statement.ts";
import type { Wanted } from "./find-editions.ts";

/** Keys of all editions that have any of the identifiers, oldest first. One statement. */
export async function findEditionKeys(
  database: Database,
  wanted: readonly Wanted[],
  limit: number,
): Promise<string[]> {
  const found = await rows<{ key: string }>(database, {
    sql: `SELECT r.key FROM record r
          WHERE r.id IN (SELECT i.edition_id FROM json_each(?1) w
                         JOIN identifier i ON i.kind = w.value->>0 AND i.value = w.value->>1)
          ORDER BY r.id LIMIT ?2`,
    values: [JSON.stringify(wanted.map(({ kind, value }) => [kind, value])), limit],
  });
  return found.map(({ key }) => key);
}

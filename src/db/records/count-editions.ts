import { idRange } from "../../catalog/record-id.ts";
import { type Database, rows } from "../statement.ts";

/** How many editions works have, by their keys; works without one are absent. One statement or none. */
export async function countEditions(
  database: Database,
  works: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (works.length === 0) return new Map();
  const { from, to } = idRange("M");
  const found = await rows<{ key: string; size: number }>(database, {
    // CROSS JOIN keeps the order: else all editions of the catalog would be looked at.
    sql: `SELECT p.value AS key, count(*) AS size FROM json_each(?1) w
          CROSS JOIN property p ON p.name = 'works' AND p.value = w.value AND p.record_id >= ?2 AND p.record_id < ?3
          GROUP BY p.value`,
    values: [JSON.stringify([...new Set(works)]), from, to],
  });
  return new Map(found.map(({ key, size }) => [key, size]));
}

import { idRange } from "../../catalog/record-id.ts";
import { type Database, rows } from "../statement.ts";

/** Keys of the editions of a work, at most `limit` of them, in ascending order of their numbers. One indexed read. */
export async function readEditionKeys(database: Database, work: string, limit: number): Promise<string[]> {
  const { from, to } = idRange("M");
  const found = await rows<{ key: string }>(database, {
    sql: `SELECT r.key FROM property p JOIN record r ON r.id = p.record_id
          WHERE p.name = 'works' AND p.value = ?1 AND p.record_id >= ?2 AND p.record_id < ?3
          ORDER BY p.record_id LIMIT ?4`,
    values: [work, from, to, limit],
  });
  return found.map(({ key }) => key);
}

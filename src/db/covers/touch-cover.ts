import { type Database, batchRows } from "../statement.ts";

/** Makes a cover the newest of its record and notes that in the log. False when there is none, or no more. */
export async function touchCover(database: Database, id: number, now: string): Promise<boolean> {
  const [touched] = await batchRows(database, [
    {
      sql: `UPDATE cover SET updated = max(updated, ?2)
            WHERE id = ?1 AND state = 'stored' AND deleted IS NULL RETURNING id`,
      values: [id, now],
    },
    {
      sql: `INSERT INTO cover_log (cover_id, action, timestamp)
            SELECT id, 'touch', ?2 FROM cover WHERE id = ?1 AND state = 'stored' AND deleted IS NULL`,
      values: [id, now],
    },
  ]);
  return touched !== undefined && touched.length > 0;
}

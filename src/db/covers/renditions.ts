import { type Database, firstRow, prepare, rows } from "../statement.ts";

/** A stored cover whose smaller sizes are still to be made. */
const UNRENDERED = "state = 'stored' AND renditions IS NULL AND deleted IS NULL";

/** Numbers of covers whose smaller sizes are still to be made, the newest first: they are looked at most. */
export async function unrenderedCovers(database: Database, limit: number): Promise<number[]> {
  const found = await rows<{ id: number }>(database, {
    sql: `SELECT id FROM cover WHERE ${UNRENDERED} ORDER BY id DESC LIMIT ?1`,
    values: [limit],
  });
  return found.map(({ id }) => id);
}

/** True when the smaller sizes of a cover are still to be made. */
export async function isUnrendered(database: Database, id: number): Promise<boolean> {
  const row = await firstRow(database, {
    sql: `SELECT id FROM cover WHERE id = ?1 AND ${UNRENDERED}`,
    values: [id],
  });
  return row !== undefined;
}

/** Notes that a cover has its smaller sizes, or cannot have them. */
export async function noteRenditions(
  database: Database,
  id: number,
  renditions: "made" | "none",
): Promise<void> {
  await prepare(database, {
    sql: "UPDATE cover SET renditions = ?2 WHERE id = ?1 AND state = 'stored' AND renditions IS NULL",
    values: [id, renditions],
  }).run();
}

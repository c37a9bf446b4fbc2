import { type Database, batchRows, firstRow, prepare, rows } from "../statement.ts";

/** When something is done about a cover, in naive UTC: now, and again not before `due`. */
interface RemovalTimes {
  readonly now: string;
  readonly due: string;
}

/**
 * Marks a cover as deleted, and notes when its images are to be looked for again. One whose image is still to be fetched is
 * not fetched any more. Done twice, it is the same as done once. False when there is no such cover.
 */
export async function markDeleted(
  database: Database,
  id: number,
  { now, due }: RemovalTimes,
): Promise<boolean> {
  const row = await firstRow(database, {
    sql: `UPDATE cover SET
            problem = CASE state WHEN 'pending' THEN 'deleted' ELSE problem END,
            due = CASE state WHEN 'pending' THEN NULL ELSE due END,
            state = CASE state WHEN 'pending' THEN 'failed' ELSE state END,
            updated = CASE WHEN deleted IS NULL THEN ?2 ELSE updated END,
            deleted = coalesce(deleted, ?2),
            removal_due = ?3
          WHERE id = ?1 RETURNING id`,
    values: [id, now, due],
  });
  return row !== undefined;
}

/** Numbers of deleted covers whose images are to be looked for, those that wait for longest first. */
export async function dueRemovals(database: Database, now: string, limit: number): Promise<number[]> {
  const found = await rows<{ id: number }>(database, {
    sql: "SELECT id FROM cover WHERE removal_due <= ?1 ORDER BY removal_due LIMIT ?2",
    values: [now, limit],
  });
  return found.map(({ id }) => id);
}

/** Notes when a deleted cover is to be looked at again; null: never, there is nothing to be seen of it. */
export async function setRemovalDue(database: Database, id: number, due: string | null): Promise<void> {
  await prepare(database, {
    sql: "UPDATE cover SET removal_due = ?2 WHERE id = ?1 AND deleted IS NOT NULL",
    values: [id, due],
  }).run();
}

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

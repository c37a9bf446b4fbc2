import { type Database, firstRow, prepare, rows } from "../statement.ts";

/** When something is done about a cover, in naive UTC: now, and again not before `due`. */
export interface RemovalTimes {
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

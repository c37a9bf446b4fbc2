import { type Database, allValues, batchGroups, run } from "../statement.ts";
import { type BatchFile, COLUMNS } from "./read-batches.ts";
import type { ImportBatch } from "./rows.ts";

/**
 * Returns the batch of a name, and creates it if there is none. A batch with a file starts in the state `splitting`.
 * One round trip.
 */
export async function openBatch(
  catalog: Database,
  opened: { name: string; submitter?: string | null; now: string; file?: BatchFile },
): Promise<{ batch: ImportBatch; isNew: boolean }> {
  const { name, submitter = null, now, file } = opened;
  const state = file === undefined ? "ready" : "splitting";
  const { object = null, format = null, size = null, digest = null } = file ?? {};
  const { made, found } = await batchGroups<{ made: { id: number }; found: ImportBatch }>(catalog, {
    made: {
      sql: `INSERT INTO import_batch (name, submitter, submit_time, object, format, digest, size, state, updated)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?3) ON CONFLICT (name) DO NOTHING RETURNING id`,
      values: [name, submitter, now, object, format, digest, size, state],
    },
    found: { sql: `SELECT ${COLUMNS} FROM import_batch WHERE name = ?1`, values: [name] },
  });
  const [batch] = found;
  if (batch === undefined) throw new Error("a batch that was not stored");
  return { batch, isNew: made.length > 0 };
}

/**
 * Returns the batches without splitting activity since `before`, longest idle first, and marks them as active. One
 * statement.
 */
export async function takeIdleBatches(
  catalog: Database,
  { before, now, limit }: { before: string; now: string; limit: number },
): Promise<number[]> {
  const sql = `UPDATE import_batch SET updated = ?2 WHERE id IN (
                 SELECT id FROM import_batch WHERE state = 'splitting' AND updated <= ?1 ORDER BY updated, id LIMIT ?3)
               RETURNING id`;
  return allValues<number>(catalog, { sql, values: [before, now, limit] });
}

/** Marks a batch that is still being split as active. One statement. */
export async function touchBatch(catalog: Database, { id, now }: { id: number; now: string }): Promise<void> {
  const sql = "UPDATE import_batch SET updated = ?2 WHERE id = ?1 AND state = 'splitting'";
  await run(catalog, { sql, values: [id, now] });
}

/** Ends the splitting of a batch whose file can no longer be read. */
export async function failBatch(
  catalog: Database,
  { id, problem, now }: { id: number; problem: string; now: string },
): Promise<void> {
  const sql = `UPDATE import_batch SET state = 'failed', problem = ?2, updated = ?3
               WHERE id = ?1 AND state = 'splitting'`;
  await run(catalog, { sql, values: [id, problem, now] });
}

/** Resumes splitting a failed batch from where it stopped. Returns false if there is no such batch. */
export async function reopenBatch(
  catalog: Database,
  { id, now }: { id: number; now: string },
): Promise<boolean> {
  const sql = `UPDATE import_batch SET state = 'splitting', problem = NULL, updated = ?2
               WHERE id = ?1 AND state = 'failed'`;
  return (await run(catalog, { sql, values: [id, now] })) > 0;
}

import {
  firstRow,
  rows,
  allValues,
  batchGroups,
  batchRows,
  run,
  type Database,
  type Window,
} from "../statement.ts";
import type { ImportBatch, ImportItem } from "./import-rows.ts";

export type BatchFile = Pick<ImportBatch, "digest"> & {
  readonly [Name in "object" | "format" | "size"]: NonNullable<ImportBatch[Name]>;
};

const COLUMNS =
  "id, name, submitter, submit_time, object, format, digest, size, position, records, skipped, state, problem, updated";

export function readBatch(catalog: Database, id: number): Promise<ImportBatch | undefined> {
  return firstRow(catalog, { sql: `SELECT ${COLUMNS} FROM import_batch WHERE id = ?1`, values: [id] });
}

export function findBatch(catalog: Database, name: string): Promise<ImportBatch | undefined> {
  return firstRow(catalog, { sql: `SELECT ${COLUMNS} FROM import_batch WHERE name = ?1`, values: [name] });
}

/** Reads batches whose files are being split or could not be split, newest first. */
export function readUnfinishedBatches(catalog: Database, limit: number): Promise<ImportBatch[]> {
  const sql = `SELECT ${COLUMNS} FROM import_batch WHERE state IN ('splitting', 'failed') ORDER BY id DESC LIMIT ?1`;
  return rows(catalog, { sql, values: [limit] });
}

export function readNewestBatches(catalog: Database, limit: number): Promise<ImportBatch[]> {
  const sql = `SELECT ${COLUMNS} FROM import_batch ORDER BY id DESC LIMIT ?1`;
  return rows(catalog, { sql, values: [limit] });
}

const HAS_WAITING = `EXISTS (
  SELECT 1 FROM import_item i WHERE i.batch_id = b.id AND i.status = 'needs_review')`;

/** Counts the batches of a patron that wait for approval, and the bytes of those of all patrons. One statement. */
export async function measureWaiting(
  catalog: Database,
  submitter: string,
): Promise<{ own: number; bytes: number } | undefined> {
  // Batches of earlier versions have no size.
  const sql = `SELECT count(CASE WHEN submitter = ?1 THEN 1 END) AS own, CAST(sum(coalesce(size, 0)) AS BIGINT) AS bytes
               FROM import_batch b WHERE object IS NULL AND ${HAS_WAITING}`;
  return firstRow(catalog, { sql, values: [submitter] });
}

/** Reads batches with items that have waited for approval since `before`, oldest first. One statement. */
export function readExpiredBatches(
  catalog: Database,
  { before, limit }: { before: string; limit: number },
): Promise<ImportBatch[]> {
  const sql = `SELECT ${COLUMNS} FROM import_batch b WHERE EXISTS (
                 SELECT 1 FROM import_item i
                 WHERE i.batch_id = b.id AND i.status = 'needs_review' AND i.added_time <= ?1)
               ORDER BY id LIMIT ?2`;
  return rows(catalog, { sql, values: [before, limit] });
}

/**
 * Deletes the items of a batch that wait for approval, so that their records can be sent again, and notes why. One
 * transaction.
 */
export async function expireBatch(
  catalog: Database,
  { id, problem, now }: { id: number; problem: string; now: string },
): Promise<void> {
  await batchRows(catalog, [
    { sql: "DELETE FROM import_item WHERE batch_id = ?1 AND status = 'needs_review'", values: [id] },
    { sql: "UPDATE import_batch SET problem = ?2, updated = ?3 WHERE id = ?1", values: [id, problem, now] },
  ]);
}

type PendingBatch = Pick<ImportItem, "batch_id" | "added_time" | "submitter" | "comments"> & {
  readonly status: "needs_review";
};

/**
 * Reads the batches with items waiting for approval, oldest first. One statement, which reads one item per batch: all
 * items of a batch arrive together, from one patron.
 */
export function readPendingBatches(catalog: Database, { limit, offset }: Window): Promise<PendingBatch[]> {
  const sql = `WITH waiting AS (
                 SELECT id FROM import_batch b
                 WHERE ${HAS_WAITING} ORDER BY id LIMIT ?1 OFFSET ?2)
               SELECT i.batch_id, i.added_time, i.status, i.submitter, i.comments
               FROM waiting w JOIN import_item i ON i.id = (
                 SELECT min(id) FROM import_item WHERE batch_id = w.id AND status = 'needs_review')
               ORDER BY i.batch_id`;
  return rows(catalog, { sql, values: [limit, offset] });
}

/**
 * Returns the batch of a name, and creates it if there is none. A batch with a file starts in the state `splitting`;
 * `format` is that of records that come without one. One round trip.
 */
export async function openBatch(
  catalog: Database,
  newBatch: Pick<ImportBatch, "name"> &
    Partial<Pick<ImportBatch, "submitter" | "format">> & { now: string; bytes?: number; file?: BatchFile },
): Promise<{ batch: ImportBatch; isNew: boolean }> {
  const { name, submitter = null, now, bytes = null, file } = newBatch;
  const state = file === undefined ? "ready" : "splitting";
  const { object = null, format = newBatch.format ?? null, size = bytes, digest = null } = file ?? {};
  const { created, stored } = await batchGroups<{ created: { id: number }; stored: ImportBatch }>(catalog, {
    created: {
      sql: `INSERT INTO import_batch (name, submitter, submit_time, object, format, digest, size, state, updated)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?3) ON CONFLICT (name) DO NOTHING RETURNING id`,
      values: [name, submitter, now, object, format, digest, size, state],
    },
    stored: { sql: `SELECT ${COLUMNS} FROM import_batch WHERE name = ?1`, values: [name] },
  });
  const [batch] = stored;
  if (batch === undefined) throw new Error("a batch that was not stored");
  return { batch, isNew: created.length > 0 };
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

import { type Database, type Window, firstRow, rows } from "../statement.ts";
import type { ImportBatch, ImportItem } from "./rows.ts";

/** Uploaded file of a batch. */
export type BatchFile = Pick<ImportBatch, "digest"> & {
  readonly [Name in "object" | "format" | "size"]: NonNullable<ImportBatch[Name]>;
};

export const COLUMNS =
  "id, name, submitter, submit_time, object, format, digest, size, position, records, skipped, state, problem, updated";

/** Reads a batch by its number. Returns undefined if there is none. */
export function readBatch(catalog: Database, id: number): Promise<ImportBatch | undefined> {
  return firstRow(catalog, { sql: `SELECT ${COLUMNS} FROM import_batch WHERE id = ?1`, values: [id] });
}

/** Reads a batch by its name. Returns undefined if there is none. */
export function findBatch(catalog: Database, name: string): Promise<ImportBatch | undefined> {
  return firstRow(catalog, { sql: `SELECT ${COLUMNS} FROM import_batch WHERE name = ?1`, values: [name] });
}

/** Reads batches whose files are being split or could not be split, newest first. */
export function unfinishedBatches(catalog: Database, limit: number): Promise<ImportBatch[]> {
  const sql = `SELECT ${COLUMNS} FROM import_batch WHERE state IN ('splitting', 'failed') ORDER BY id DESC LIMIT ?1`;
  return rows(catalog, { sql, values: [limit] });
}

/** Reads the newest batches. */
export function newestBatches(catalog: Database, limit: number): Promise<ImportBatch[]> {
  const sql = `SELECT ${COLUMNS} FROM import_batch ORDER BY id DESC LIMIT ?1`;
  return rows(catalog, { sql, values: [limit] });
}

/** Counts the batches of a patron that have items waiting for approval, up to `limit`. One statement. */
export async function countWaitingOf(
  catalog: Database,
  { submitter, limit }: { submitter: string; limit: number },
): Promise<number> {
  const sql = `SELECT id FROM import_batch b WHERE submitter = ?1
                 AND EXISTS (SELECT 1 FROM import_item i WHERE i.batch_id = b.id AND i.status = 'needs_review')
               ORDER BY id DESC LIMIT ?2`;
  const found = await rows(catalog, { sql, values: [submitter, limit] });
  return found.length;
}

/** A batch with items waiting for approval. */
type PendingBatch = Pick<ImportItem, "batch_id" | "added_time" | "submitter" | "comments"> & {
  readonly status: "needs_review";
};

/**
 * Reads the batches with items waiting for approval, oldest first. One statement, which reads one item per batch: all
 * items of a batch arrive together, from one patron.
 */
export function pendingBatches(catalog: Database, { limit, offset }: Window): Promise<PendingBatch[]> {
  const sql = `WITH waiting AS (
                 SELECT id FROM import_batch b
                 WHERE EXISTS (SELECT 1 FROM import_item i WHERE i.batch_id = b.id AND i.status = 'needs_review')
                 ORDER BY id LIMIT ?1 OFFSET ?2)
               SELECT i.batch_id, i.added_time, i.status, i.submitter, i.comments
               FROM waiting w JOIN import_item i ON i.id = (
                 SELECT min(id) FROM import_item WHERE batch_id = w.id AND status = 'needs_review')
               ORDER BY i.batch_id`;
  return rows(catalog, { sql, values: [limit, offset] });
}

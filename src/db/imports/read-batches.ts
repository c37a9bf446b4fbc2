import type { ImportFormat } from "../../import/formats.ts";
import type { BatchState } from "../../import/statuses.ts";
import { type Database, firstRow, rows } from "../statement.ts";

/** A batch of imports. Times are naive UTC. */
export interface ImportBatch {
  readonly id: number;
  readonly name: string;
  /** Username. */
  readonly submitter: string | null;
  readonly submit_time: string;
  /** Key in R2 of the file that items are made of; null when they came with the batch. */
  readonly object: string | null;
  readonly format: ImportFormat | null;
  /** SHA-256 of the file in hex, as whoever put it there said. */
  readonly digest: string | null;
  readonly size: number | null;
  /** How far the file has been split, in bytes. */
  readonly position: number;
  /** Records, or lines, split so far. */
  readonly records: number;
  /** Those of them that were items already. */
  readonly skipped: number;
  readonly state: BatchState;
  readonly problem: string | null;
  readonly updated: string;
}

/** The file of a batch. */
export interface BatchFile {
  readonly object: string;
  readonly format: ImportFormat;
  readonly size: number;
  readonly digest: string | null;
}

export const COLUMNS =
  "id, name, submitter, submit_time, object, format, digest, size, position, records, skipped, state, problem, updated";

/** A batch by its number. */
export function readBatch(catalog: Database, id: number): Promise<ImportBatch | undefined> {
  return firstRow(catalog, { sql: `SELECT ${COLUMNS} FROM import_batch WHERE id = ?1`, values: [id] });
}

/** A batch by its name. */
export function findBatch(catalog: Database, name: string): Promise<ImportBatch | undefined> {
  return firstRow(catalog, { sql: `SELECT ${COLUMNS} FROM import_batch WHERE name = ?1`, values: [name] });
}

/** Batches whose files are still being split, the first ones by number, and those that could not be. */
export function unfinishedBatches(catalog: Database, limit: number): Promise<ImportBatch[]> {
  const sql = `SELECT ${COLUMNS} FROM import_batch WHERE state IN ('splitting', 'failed') ORDER BY id DESC LIMIT ?1`;
  return rows(catalog, { sql, values: [limit] });
}

/** The newest batches. */
export function newestBatches(catalog: Database, limit: number): Promise<ImportBatch[]> {
  const sql = `SELECT ${COLUMNS} FROM import_batch ORDER BY id DESC LIMIT ?1`;
  return rows(catalog, { sql, values: [limit] });
}

/** How many batches of a patron have items that wait for approval; counts no further than `limit`. One statement. */
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

/** A batch with items that wait for approval. */
export interface PendingBatch {
  readonly batch_id: number;
  readonly added_time: string;
  readonly status: "needs_review";
  readonly submitter: string | null;
  readonly comments: string | null;
}

/**
 * Batches with items that wait for approval, oldest first. One statement, which reads one item of each: those
 * of a batch came together, from one patron.
 */
export function pendingBatches(
  catalog: Database,
  { limit, offset }: { limit: number; offset: number },
): Promise<PendingBatch[]> {
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

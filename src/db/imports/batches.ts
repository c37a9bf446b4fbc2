import type { ImportFormat } from "../../import/formats.ts";
import { type Database, batchRows, firstRow, prepare, rows } from "../statement.ts";

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
  readonly state: "splitting" | "ready" | "failed";
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

const COLUMNS =
  "id, name, submitter, submit_time, object, format, digest, size, position, records, skipped, state, problem, updated";

/** The batch of a name, made when there is none. A file makes it one that is still to be split. One round trip. */
export async function openBatch(
  catalog: Database,
  wanted: { name: string; submitter?: string | null; now: string; file?: BatchFile },
): Promise<{ batch: ImportBatch; isNew: boolean }> {
  const { name, submitter = null, now, file } = wanted;
  const state = file === undefined ? "ready" : "splitting";
  const { object = null, format = null, size = null, digest = null } = file ?? {};
  const [made = [], found = []] = await batchRows(catalog, [
    {
      sql: `INSERT INTO import_batch (name, submitter, submit_time, object, format, digest, size, state, updated)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?3) ON CONFLICT (name) DO NOTHING RETURNING id`,
      values: [name, submitter, now, object, format, digest, size, state],
    },
    { sql: `SELECT ${COLUMNS} FROM import_batch WHERE name = ?1`, values: [name] },
  ]);
  // The row has the columns of the statement.
  const [batch] = found as ImportBatch[];
  if (batch === undefined) throw new Error("a batch that was not stored");
  return { batch, isNew: made.length > 0 };
}

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
  return rows(catalog, {
    sql: `SELECT ${COLUMNS} FROM import_batch ORDER BY id DESC LIMIT ?1`,
    values: [limit],
  });
}

/**
 * Batches that nobody has split on since a moment, those left alone for longest first, and marks them as being worked
 * on. One statement.
 */
export async function takeIdleBatches(
  catalog: Database,
  { before, now, limit }: { before: string; now: string; limit: number },
): Promise<number[]> {
  const found = await rows<{ id: number }>(catalog, {
    sql: `UPDATE import_batch SET updated = ?2 WHERE id IN (
            SELECT id FROM import_batch WHERE state = 'splitting' AND updated <= ?1 ORDER BY updated, id LIMIT ?3)
          RETURNING id`,
    values: [before, now, limit],
  });
  return found.map(({ id }) => id);
}

/** Notes that somebody looks after a batch that is still to be split on. One statement. */
export async function touchBatch(catalog: Database, { id, now }: { id: number; now: string }): Promise<void> {
  const sql = "UPDATE import_batch SET updated = ?2 WHERE id = ?1 AND state = 'splitting'";
  await prepare(catalog, { sql, values: [id, now] }).run();
}

/** Ends the splitting of a batch whose file cannot be read on. */
export async function failBatch(
  catalog: Database,
  { id, problem, now }: { id: number; problem: string; now: string },
): Promise<void> {
  const sql = `UPDATE import_batch SET state = 'failed', problem = ?2, updated = ?3
               WHERE id = ?1 AND state = 'splitting'`;
  await prepare(catalog, { sql, values: [id, problem, now] }).run();
}

/** Has a batch that could not be read on tried again from where it stopped; false when it is no such batch. */
export async function reopenBatch(
  catalog: Database,
  { id, now }: { id: number; now: string },
): Promise<boolean> {
  const found = await rows(catalog, {
    sql: `UPDATE import_batch SET state = 'splitting', problem = NULL, updated = ?2
          WHERE id = ?1 AND state = 'failed' RETURNING id`,
    values: [id, now],
  });
  return found.length > 0;
}

/** How many batches of a patron have items that wait for approval; counts no further than `limit`. One statement. */
export async function countWaitingOf(
  catalog: Database,
  { submitter, limit }: { submitter: string; limit: number },
): Promise<number> {
  const found = await rows(catalog, {
    sql: `SELECT id FROM import_batch b WHERE submitter = ?1
            AND EXISTS (SELECT 1 FROM import_item i WHERE i.batch_id = b.id AND i.status = 'needs_review')
          ORDER BY id DESC LIMIT ?2`,
    values: [submitter, limit],
  });
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
  return rows(catalog, {
    sql: `WITH waiting AS (
            SELECT id FROM import_batch b
            WHERE EXISTS (SELECT 1 FROM import_item i WHERE i.batch_id = b.id AND i.status = 'needs_review')
            ORDER BY id LIMIT ?1 OFFSET ?2)
          SELECT i.batch_id, i.added_time, i.status, i.submitter, i.comments
          FROM waiting w JOIN import_item i ON i.id = (
            SELECT min(id) FROM import_item WHERE batch_id = w.id AND status = 'needs_review')
          ORDER BY i.batch_id`,
    values: [limit, offset],
  });
}

import type { ImportResponse } from "../../import/records/decision.ts";
import { type Database, type Statement, allValues, rows, run } from "../statement.ts";
import type { ClaimedItem } from "./import-request.ts";
import { type StagedItem, IS_OF_BOOK, STAGED, stagedNamesOf } from "./lookups.ts";
import type { ImportBatch, ImportItem } from "./import-rows.ts";

/** A claimed item and the format of the file it comes from. */
export type Claimed = Pick<ImportItem, "id" | "ia_id" | "data" | "warnings" | "attempts"> &
  Pick<ImportBatch, "format">;

const TAKE =
  "UPDATE import_item SET status = 'processing', claim = ?2, claimed = ?3, claimed_from = status WHERE";
const RELEASE = "claim = NULL, claimed = NULL, claimed_from = NULL";
const IS_CLAIMED = "id = ?1 AND claim = ?2 AND status = 'processing'";

const CLAIM = `
  ${TAKE} id IN (SELECT CAST(value AS BIGINT) FROM json_each(?1)) AND status = 'pending' AND (due IS NULL OR due <= ?3)
  RETURNING id, ia_id, data, warnings, attempts, (SELECT format FROM import_batch b WHERE b.id = batch_id) AS format`;

/**
 * Claims the given items that are pending and due. No other worker gets them until they are released. One statement.
 */
export async function claimItems(
  catalog: Database,
  ids: readonly number[],
  { claim, now }: { claim: string; now: string },
): Promise<Claimed[]> {
  const claimed = await rows<Claimed>(catalog, { sql: CLAIM, values: [JSON.stringify(ids), claim, now] });
  return claimed.toSorted((a, b) => a.id - b.id);
}

/**
 * Builds the statement that ends an imported item, unless another worker holds the claim by now. Clears its data and
 * earlier errors. Returns a row with the item number if the item was ended.
 */
export function finishItem(
  { id, claim }: ClaimedItem,
  { edition: { status, key }, warnings }: Pick<ImportResponse, "edition" | "warnings">,
  now: string,
): Statement {
  return {
    sql: `UPDATE import_item SET status = ?3, ol_key = ?4, import_time = ?5, error = NULL, data = NULL, due = NULL,
            comments = CASE WHEN attempts = 0 THEN comments END, warnings = ?6, ${RELEASE}
          WHERE ${IS_CLAIMED} RETURNING id`,
    values: [id, claim, status, key, now, warnings === undefined ? null : JSON.stringify(warnings)],
  };
}

/** Releases an item that the service failed to import. It is retried from `due` on. One statement. */
export async function giveBack(
  catalog: Database,
  { id, claim }: ClaimedItem,
  { due, reason, isFailure }: { due: string; reason: string; isFailure: boolean },
): Promise<void> {
  const sql = `UPDATE import_item SET status = claimed_from, ${RELEASE}, attempts = attempts + ?5, due = ?3, sent = ?3,
                 comments = CASE ?5 WHEN 1 THEN ?4 ELSE comments END
               WHERE ${IS_CLAIMED}`;
  await run(catalog, { sql, values: [id, claim, due, reason, Number(isFailure)] });
}

interface ItemFailure {
  readonly error: string;
  readonly reason: string;
  readonly now: string;
}

/** Marks an item that cannot be imported as failed and keeps its record. One statement. */
export async function failItem(
  catalog: Database,
  { id, claim }: ClaimedItem,
  { error, reason, now }: ItemFailure,
): Promise<void> {
  const sql = `UPDATE import_item SET status = 'failed', ${RELEASE}, error = ?3, comments = ?4, import_time = ?5
               WHERE ${IS_CLAIMED}`;
  await run(catalog, { sql, values: [id, claim, error, reason, now] });
}

/** Marks the given items that are still pending as failed and returns their number. One statement. */
export async function failWaiting(
  catalog: Database,
  ids: readonly number[],
  { error, reason, now }: ItemFailure,
): Promise<number> {
  const sql = `UPDATE import_item SET status = 'failed', error = ?2, comments = ?3, import_time = ?4
               WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?1)) AND status = 'pending'`;
  return run(catalog, { sql, values: [JSON.stringify(ids), error, reason, now] });
}

/**
 * Releases items that were claimed at `before` or earlier: their worker was lost. Restores the status they had, oldest
 * claims first. Items lost `lossesMax` times fail. Returns the number of items. One statement.
 */
export async function releaseLost(
  catalog: Database,
  lost: ItemFailure & { before: string; limit: number; lossesMax: number },
): Promise<number> {
  const { before, now, limit, lossesMax, error, reason } = lost;
  const isOver = "losses + 1 >= ?4";
  const sql = `UPDATE import_item SET ${RELEASE}, losses = losses + 1, sent = '', due = NULL,
                 status = CASE WHEN ${isOver} THEN 'failed' ELSE coalesce(claimed_from, 'pending') END,
                 error = CASE WHEN ${isOver} THEN ?5 ELSE error END,
                 comments = CASE WHEN ${isOver} THEN ?6 ELSE comments END,
                 import_time = CASE WHEN ${isOver} THEN ?2 ELSE import_time END
               WHERE id IN (SELECT id FROM import_item WHERE status = 'processing' AND claimed <= ?1
                            ORDER BY claimed, id LIMIT ?3)`;
  return run(catalog, { sql, values: [before, now, limit, lossesMax, error, reason] });
}

/**
 * Takes pending items without a message since `before`, longest wait first, and records that a message is sent now. One
 * statement.
 */
export async function takeForgotten(
  catalog: Database,
  { before, now, limit }: { before: string; now: string; limit: number },
): Promise<number[]> {
  const sql = `UPDATE import_item SET sent = ?2, due = NULL WHERE id IN (
                 SELECT id FROM import_item WHERE status = 'pending' AND sent <= ?1 ORDER BY sent, id LIMIT ?3)
               RETURNING id`;
  return (await allValues<number>(catalog, { sql, values: [before, now, limit] })).toSorted((a, b) => a - b);
}

/**
 * Resets items that failed with an error code to pending, in order of number, and returns how many. Skips items whose
 * record could not be read, because there is nothing to retry. One statement.
 */
export async function retryFailed(
  catalog: Database,
  { error, limit }: { error: string; limit: number },
): Promise<number> {
  const sql = `UPDATE import_item SET status = 'pending', error = NULL, comments = NULL, import_time = NULL, attempts = 0,
                 losses = 0, due = NULL, sent = ''
               WHERE id IN (SELECT id FROM import_item WHERE status = 'failed' AND error = ?1
                              AND (place IS NULL OR data IS NOT NULL) ORDER BY id LIMIT ?2)`;
  return run(catalog, { sql, values: [error, limit] });
}

/**
 * Claims all staged rows of a book in one statement, oldest first, so that no other request imports any of them; with
 * `pendingToo` also pending rows with a record, before their turn in the queue. A concurrent request gets an empty list.
 */
export async function claimStaged(
  database: Database,
  identifiers: readonly string[],
  { claim, now, pendingToo }: { claim: string; now: string; pendingToo: boolean },
): Promise<StagedItem[]> {
  const sql = `${TAKE} ${IS_OF_BOOK} AND (status = 'staged' OR (?4 AND status = 'pending' AND data IS NOT NULL))
               RETURNING ${STAGED}`;
  const values = [stagedNamesOf(identifiers), claim, now, Number(pendingToo)];
  const claimed = await rows<StagedItem>(database, { sql, values });
  return claimed.toSorted((a, b) => a.id - b.id);
}

/**
 * Releases rows that were claimed but not imported. The queue message of a pending row may have arrived in the meantime
 * without effect, so the sweep sends another.
 */
export async function releaseStaged(database: Database, claim: string): Promise<void> {
  const sql = `UPDATE import_item SET status = claimed_from, ${RELEASE},
                 sent = CASE WHEN claimed_from = 'pending' THEN '' ELSE sent END
               WHERE claim = ?1 AND status = 'processing'`;
  await run(database, { sql, values: [claim] });
}

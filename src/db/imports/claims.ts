import type { LoadReply } from "../../import/load/decision.ts";
import { type Database, type Statement, allValues, rows, run } from "../statement.ts";
import type { ClaimedItem } from "./load-request.ts";
import { type StagedItem, IS_OF_BOOK, STAGED, namesOf } from "./read-staged.ts";
import type { ImportBatch, ImportItem } from "./rows.ts";

/** An item that somebody has taken to import it, and the format of the file that it comes from. */
export type Claimed = Pick<ImportItem, "id" | "ia_id" | "data" | "attempts"> & Pick<ImportBatch, "format">;

const TAKE =
  "UPDATE import_item SET status = 'processing', claim = ?2, claimed = ?3, claimed_from = status WHERE";
const RELEASE = "claim = NULL, claimed = NULL, claimed_from = NULL";
const IS_CLAIMED = "id = ?1 AND claim = ?2 AND status = 'processing'";

const CLAIM = `
  ${TAKE} id IN (SELECT CAST(value AS BIGINT) FROM json_each(?1)) AND status = 'pending' AND (due IS NULL OR due <= ?3)
  RETURNING id, ia_id, data, attempts, (SELECT format FROM import_batch b WHERE b.id = batch_id) AS format`;

/** Takes those of some items that are pending and due. Nobody else gets them meanwhile. One statement. */
export async function claimItems(
  catalog: Database,
  ids: readonly number[],
  { claim, now }: { claim: string; now: string },
): Promise<Claimed[]> {
  const claimed = await rows<Claimed>(catalog, { sql: CLAIM, values: [JSON.stringify(ids), claim, now] });
  return claimed.toSorted((a, b) => a.id - b.id);
}

/**
 * Ends an item that was imported, unless its claim is somebody else's by now. What went wrong before is forgotten, and
 * so is its data. Answers a row with its number when it was ended.
 */
export function finishItem(
  { id, claim }: ClaimedItem,
  { edition: { status, key } }: Pick<LoadReply, "edition">,
  now: string,
): Statement {
  return {
    sql: `UPDATE import_item SET status = ?3, ol_key = ?4, import_time = ?5, error = NULL, data = NULL, due = NULL,
            comments = CASE WHEN attempts = 0 THEN comments END, ${RELEASE}
          WHERE ${IS_CLAIMED} RETURNING id`,
    values: [id, claim, status, key, now],
  };
}

/** Gives an item back that the service could not import: it is tried again from `due` on. One statement. */
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

/** Why an item has failed: its code, and what is to be said of it. */
interface ItemFailure {
  readonly error: string;
  readonly reason: string;
  readonly now: string;
}

/** Ends an item that cannot be imported; its record is kept. One statement. */
export async function failItem(
  catalog: Database,
  { id, claim }: ClaimedItem,
  { error, reason, now }: ItemFailure,
): Promise<void> {
  const sql = `UPDATE import_item SET status = 'failed', ${RELEASE}, error = ?3, comments = ?4, import_time = ?5
               WHERE ${IS_CLAIMED}`;
  await run(catalog, { sql, values: [id, claim, error, reason, now] });
}

/** Ends those of some items that still wait, whoever was to work on them; answers how many. One statement. */
export async function failWaiting(
  catalog: Database,
  ids: readonly number[],
  { error, reason, now }: ItemFailure,
): Promise<number> {
  const sql = `UPDATE import_item SET status = 'failed', error = ?2, comments = ?3, import_time = ?4
               WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?1)) AND status = 'pending'`;
  return run(catalog, { sql, values: [JSON.stringify(ids), error, reason, now] });
}

interface LostClaims {
  /** Claims of this moment and before. */
  readonly before: string;
  readonly now: string;
  readonly limit: number;
  /** After so many losses an item fails. */
  readonly lossesMax: number;
  readonly error: string;
  readonly reason: string;
}

/**
 * Gives items back whose holder was lost, the oldest claims first: they have the status again that they were taken from.
 * What has broken off too often fails. Answers how many there were. One statement.
 */
export async function releaseLost(catalog: Database, lost: LostClaims): Promise<number> {
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
 * Takes pending items for which no message has been sent since a moment, those forgotten for longest first, and notes that
 * one is sent now. One statement.
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
 * Lets items that have failed with a code be tried again, the first ones by number; answers how many. Those whose
 * record could not be read have none to try again. One statement.
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

/** Who takes rows, and when, in naive UTC. */
export interface Claim {
  readonly claim: string;
  readonly now: string;
  /** True: pending rows with a record are taken too, before their turn in the queue. */
  readonly pendingToo: boolean;
}

/**
 * Takes all staged rows of a book in one statement, so that nobody else imports one of them; oldest first. None are left
 * to somebody who asks at the same time.
 */
export async function claimStaged(
  database: Database,
  identifiers: readonly string[],
  { claim, now, pendingToo }: Claim,
): Promise<StagedItem[]> {
  const taken = await rows<StagedItem>(database, {
    sql: `${TAKE} ${IS_OF_BOOK} AND (status = 'staged' OR (?4 AND status = 'pending' AND data IS NOT NULL))
          RETURNING ${STAGED}`,
    values: [namesOf(identifiers), claim, now, Number(pendingToo)],
  });
  return taken.toSorted((a, b) => a.id - b.id);
}

/**
 * Gives back what was taken and not imported. A pending row's message may have come in vain meanwhile: the sweep
 * sends another.
 */
export async function releaseStaged(database: Database, claim: string): Promise<void> {
  const sql = `UPDATE import_item SET status = claimed_from, ${RELEASE},
                 sent = CASE WHEN claimed_from = 'pending' THEN '' ELSE sent END
               WHERE claim = ?1 AND status = 'processing'`;
  await run(database, { sql, values: [claim] });
}

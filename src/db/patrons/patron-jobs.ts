import {
  allValues,
  firstRow,
  firstValue,
  rows,
  batchRows,
  overList,
  run,
  type Database,
} from "../statement.ts";
import { WORK_STATE, type ReadingLogImport, type Removal, type WorkMove } from "./patron-rows.ts";

/** Reads imports that are due (milliseconds since the epoch), the longest idle first. */
export function readDueImports(patrons: Database, now: number, limit: number): Promise<ReadingLogImport[]> {
  const sql = "SELECT username_folded AS patron, id FROM import_job WHERE due <= ?1 ORDER BY due LIMIT ?2";
  return rows<ReadingLogImport>(patrons, { sql, values: [now, limit] });
}

const REMOVAL = "id, username, email, anonymous, is_swept AS isSwept, due";

/** Reads a removal that is under way; undefined if it is done. */
export function readRemoval(patrons: Database, id: number): Promise<Removal | undefined> {
  return firstRow<Removal>(patrons, { sql: `SELECT ${REMOVAL} FROM removal WHERE id = ?1`, values: [id] });
}

/** Returns true while the account of a name is being removed: no other account can take the name. */
export async function isBeingRemoved(patrons: Database, username: string): Promise<boolean> {
  const sql = "SELECT id FROM removal WHERE username_folded = ?1";
  return (await firstValue(patrons, { sql, values: [username.toLowerCase()] })) !== undefined;
}

/** Reads removals that are due (milliseconds since the epoch), the longest due first. */
export function readDueAccountRemovals(patrons: Database, now: number, limit: number): Promise<number[]> {
  const sql = "SELECT id FROM removal WHERE due <= ?1 ORDER BY due LIMIT ?2";
  return allValues<number>(patrons, { sql, values: [now, limit] });
}

/** Returns true if no patron has any state of a work. One statement. */
export async function hasNoHeldWorks(patrons: Database): Promise<boolean> {
  const sql = "SELECT EXISTS (SELECT 1 FROM patron_work) AS held";
  return (await firstValue<number>(patrons, { sql, values: [] })) !== 1;
}

/** Reads a move that is under way; undefined if it is done. */
export function readMove(patrons: Database, from: number): Promise<WorkMove | undefined> {
  const sql = 'SELECT from_id AS "from", after, created FROM work_move WHERE from_id = ?1';
  return firstRow<WorkMove>(patrons, { sql, values: [from] });
}

/** Reads moves without progress since `before` (milliseconds since the epoch), the longest idle first. */
export function readIdleMoves(patrons: Database, before: number, limit: number): Promise<number[]> {
  const sql = "SELECT from_id FROM work_move WHERE updated <= ?1 ORDER BY updated LIMIT ?2";
  return allValues<number>(patrons, { sql, values: [before, limit] });
}

/** Condition for rows of anonymous patrons, of whom nothing else exists. No other account can have such a name. */
const ANONYMOUS = "patron >= 'anonymous-' AND patron < 'anonymous.'";

/** Reads patrons with any state of a work, after a name, without anonymous ones. */
export function readHolders(
  patrons: Database,
  work: number,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const sql = `SELECT patron FROM patron_work WHERE work_id = ?1 AND patron > ?2 AND held = 1 AND NOT (${ANONYMOUS})
               ORDER BY patron LIMIT ?3`;
  return allValues<string>(patrons, { sql, values: [work, after, limit] });
}

/** Records that a patron's import is under way, and when the sweep may resume it (milliseconds since the epoch). */
export async function noteImport(
  patrons: Database,
  { patron, id }: ReadingLogImport,
  due: number,
): Promise<void> {
  const sql = "INSERT OR REPLACE INTO import_job (username_folded, id, due) VALUES (?1, ?2, ?3)";
  await run(patrons, { sql, values: [patron, id, due] });
}

/**
 * Postpones the time when the sweep may resume an import (milliseconds since the epoch); does nothing if another one
 * has taken its place.
 */
export async function touchImport(
  patrons: Database,
  { patron, id }: ReadingLogImport,
  due: number,
): Promise<void> {
  const sql = "UPDATE import_job SET due = ?3 WHERE username_folded = ?1 AND id = ?2";
  await run(patrons, { sql, values: [patron, id, due] });
}

/** Deletes an import that is done, unless another one has taken its place. */
export async function endImport(patrons: Database, { patron, id }: ReadingLogImport): Promise<void> {
  const sql = "DELETE FROM import_job WHERE username_folded = ?1 AND id = ?2";
  await run(patrons, { sql, values: [patron, id] });
}

/** Starts a removal, or returns the one under way, with its anonymous name. */
export async function openRemoval(
  patrons: Database,
  account: Pick<Removal, "username" | "email" | "anonymous" | "due"> & { now: number },
): Promise<Removal> {
  const { username, email, anonymous, due, now } = account;
  const folded = username.toLowerCase();
  const [, removals = []] = await batchRows(patrons, [
    {
      sql: `INSERT INTO removal (username_folded, username, email, anonymous, created, due)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (username_folded) DO NOTHING`,
      values: [folded, username, email, anonymous, now, due],
    },
    { sql: `SELECT ${REMOVAL} FROM removal WHERE username_folded = ?1`, values: [folded] },
  ]);
  // The row has the columns of the statement.
  const [removal] = removals as Removal[];
  if (removal === undefined) throw new Error("a removal that was not stored");
  return removal;
}

/** Records when a removal is due again (milliseconds since the epoch), and if its first pass is complete. */
export async function noteRemoval(
  patrons: Database,
  { id, isSwept, due }: Pick<Removal, "id" | "isSwept" | "due">,
): Promise<void> {
  const sql = "UPDATE removal SET is_swept = ?2, due = ?3 WHERE id = ?1";
  await run(patrons, { sql, values: [id, isSwept, due] });
}

/** Deletes a removal: nothing is left of the account. */
export async function endRemoval(patrons: Database, id: number): Promise<void> {
  await run(patrons, { sql: "DELETE FROM removal WHERE id = ?1", values: [id] });
}

/**
 * Records works whose patrons are to be visited: those that a patron holds, and new redirects, for whose works messages
 * may still be under way. Returns the recorded numbers. One round trip.
 */
export async function openMoves(
  patrons: Database,
  redirects: readonly { readonly work: number; readonly isNew: boolean }[],
  now: number,
): Promise<number[]> {
  const sql = `INSERT INTO work_move (from_id, created, updated)
    SELECT value->>'work', ${Number(now)}, ${Number(now)} FROM json_each(?1)
    WHERE value->>'isNew' OR EXISTS (SELECT 1 FROM patron_work WHERE work_id = value->>'work')
    ON CONFLICT (from_id) DO UPDATE SET after = '', created = excluded.created
    RETURNING from_id AS work`;
  const results = await batchRows(patrons, overList(redirects, sql));
  // The rows are those that the statements return.
  return (results.flat() as { work: number }[]).map(({ work }) => work);
}

/** Records the progress of a pass; "" if it is over and the next one begins at the start. */
export async function noteMove(patrons: Database, move: WorkMove, now: number): Promise<void> {
  const sql = "UPDATE work_move SET after = ?2, updated = ?3 WHERE from_id = ?1";
  await run(patrons, { sql, values: [move.from, move.after, now] });
}

/** Deletes a move that is done, unless it was requested again since. */
export async function endMove(patrons: Database, { from, created }: WorkMove): Promise<void> {
  const sql = "DELETE FROM work_move WHERE from_id = ?1 AND created = ?2";
  await run(patrons, { sql, values: [from, created] });
}

/** Columns of `patron_work` for a shelf entry, a rating and an award; the first one is null without it. */
const GROUPS = [
  ["shelf", "edition_id", "logged", "moved"],
  ["stars", "rated_edition_id", "rated"],
  ["award_id", "award_topic"],
];

/** Moves the rows of anonymous patrons from one work to another one, whose own values stay. One transaction. */
export async function moveAnonymous(patrons: Database, from: number, to: number): Promise<void> {
  const columns = Object.keys(WORK_STATE).join(", ");
  const updates = GROUPS.flatMap((group) =>
    group.map(
      (name) => `${name} = iif(patron_work.${group[0]} IS NULL, excluded.${name}, patron_work.${name})`,
    ),
  );
  await batchRows(patrons, [
    {
      sql: `INSERT INTO patron_work (patron, work_id, sequence, held, ${columns})
            SELECT patron, ?2, sequence, held, ${columns} FROM patron_work
            WHERE work_id = ?1 AND ${ANONYMOUS}
            ON CONFLICT (patron, work_id) DO UPDATE SET ${updates.join(", ")},
              observations = (SELECT json_group_array(value) FROM (
                SELECT value FROM json_each(patron_work.observations)
                UNION SELECT value FROM json_each(excluded.observations)) HAVING count(*) > 0)`,
      values: [from, to],
    },
    { sql: `DELETE FROM patron_work WHERE work_id = ?1 AND ${ANONYMOUS}`, values: [from] },
  ]);
}

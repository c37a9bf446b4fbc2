import { type Database, allValues, firstRow, firstValue, rows } from "../statement.ts";
import type { ImportJob, Removal, RemovalRow, WorkMove } from "./rows.ts";

/** Reads imports that are due (milliseconds since the epoch), the longest idle first. */
export function dueImports(patrons: Database, now: number, limit: number): Promise<ImportJob[]> {
  const sql = "SELECT username_folded AS patron, id FROM import_job WHERE due <= ?1 ORDER BY due LIMIT ?2";
  return rows<ImportJob>(patrons, { sql, values: [now, limit] });
}

/** Columns of a `RemovalRow`. */
export const REMOVAL = "id, username, email, anonymous, is_swept AS isSwept, due";

/** Reads a removal that is under way; undefined if it is done. */
export async function readRemoval(patrons: Database, id: number): Promise<Removal | undefined> {
  const sql = `SELECT ${REMOVAL} FROM removal WHERE id = ?1`;
  const row = await firstRow<RemovalRow>(patrons, { sql, values: [id] });
  return row && removalOf(row);
}

/** Converts a row to a removal. */
export function removalOf({ isSwept, ...row }: RemovalRow): Removal {
  return { ...row, isSwept: isSwept === 1 };
}

/** Returns true while the account of a name is being removed: no other account can take the name. */
export async function isBeingRemoved(patrons: Database, username: string): Promise<boolean> {
  const sql = "SELECT id FROM removal WHERE username_folded = ?1";
  return (await firstValue(patrons, { sql, values: [username.toLowerCase()] })) !== undefined;
}

/** Reads removals that are due (milliseconds since the epoch), the longest due first. */
export function dueRemovals(patrons: Database, now: number, limit: number): Promise<number[]> {
  const sql = "SELECT id FROM removal WHERE due <= ?1 ORDER BY due LIMIT ?2";
  return allValues<number>(patrons, { sql, values: [now, limit] });
}

/** Returns true if no patron has any state of a work. One statement. */
export async function isNothingHeld(patrons: Database): Promise<boolean> {
  const sql = "SELECT EXISTS (SELECT 1 FROM patron_work) AS held";
  return (await firstValue<number>(patrons, { sql, values: [] })) !== 1;
}

/** Reads a move that is under way; undefined if it is done. */
export function readMove(patrons: Database, from: number): Promise<WorkMove | undefined> {
  const sql = 'SELECT from_id AS "from", after, created FROM work_move WHERE from_id = ?1';
  return firstRow<WorkMove>(patrons, { sql, values: [from] });
}

/** Reads moves without progress since `before` (milliseconds since the epoch), the longest idle first. */
export function idleMoves(patrons: Database, before: number, limit: number): Promise<number[]> {
  const sql = "SELECT from_id FROM work_move WHERE updated <= ?1 ORDER BY updated LIMIT ?2";
  return allValues<number>(patrons, { sql, values: [before, limit] });
}

/** Condition for rows of anonymous patrons, of whom nothing else exists. No other account can have such a name. */
export const ANONYMOUS = "patron >= 'anonymous-' AND patron < 'anonymous.'";

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

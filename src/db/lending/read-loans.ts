import type { LendingChange, Loan, WaitingPlace } from "../../catalog/lending/loan.ts";
import { allValues, firstRow, rows, type Database, type Window } from "../statement.ts";
import type { LentItem } from "./holdings.ts";

/** Maximum number of loans of an item, places, or items of a history read at once. */
const LENDING_ROWS_MAX = 10_000;

/** Reads the state of items; items without a row are absent. One statement. */
export function readLentItems(patrons: Database, ocaids: readonly string[]): Promise<LentItem[]> {
  if (ocaids.length === 0) return Promise.resolve([]);
  const sql = `SELECT ocaid, borrows, browses, waiting, reserved, last_loan AS lastLoan, last_waiting AS lastWaiting,
                      next_expiry AS nextExpiry
               FROM lending_item WHERE ocaid IN (SELECT value FROM json_each(?1))`;
  return rows<LentItem>(patrons, { sql, values: [JSON.stringify([...new Set(ocaids)])] });
}

/** Reads the loans of an item that are active at `now`, the oldest first. */
export function readLoansOf(patrons: Database, ocaid: string, now: number): Promise<Loan[]> {
  const sql = `SELECT uuid, ocaid, patron, book, kind, loaned_at AS loanedAt, expiry FROM loan
               WHERE ocaid = ?1 AND returned_at IS NULL AND expiry > ?2 ORDER BY loaned_at, uuid LIMIT ?3`;
  return rows<Loan>(patrons, { sql, values: [ocaid, now, LENDING_ROWS_MAX] });
}

export function readQueue(patrons: Database, ocaid: string): Promise<WaitingPlace[]> {
  const sql = `SELECT ocaid, patron, book, since, updated, expiry,
                      CASE WHEN expiry IS NULL THEN 'waiting' ELSE 'available' END AS status,
                      row_number() OVER (ORDER BY number) AS position, count(*) OVER () AS queueLength
               FROM waiting_loan WHERE ocaid = ?1 ORDER BY number LIMIT ?2`;
  return rows<WaitingPlace>(patrons, { sql, values: [ocaid, LENDING_ROWS_MAX] });
}

/**
 * Reads the places of a patron (username in lower case), the oldest first; `among`: items to which the places are
 * limited, absent for all. The position of a place is counted in its queue, so each place reads a row per waiting
 * patron.
 */
export function readPlacesOf(
  patrons: Database,
  patron: string,
  among?: readonly string[],
): Promise<WaitingPlace[]> {
  const isAmong = among === undefined ? "?3 IS NULL" : "w.ocaid IN (SELECT value FROM json_each(?3))";
  const sql = `SELECT w.ocaid, w.patron, w.book, w.since, w.updated, w.expiry,
                      CASE WHEN w.expiry IS NULL THEN 'waiting' ELSE 'available' END AS status,
                      (SELECT count(*) FROM waiting_loan o WHERE o.ocaid = w.ocaid AND o.number <= w.number) AS position,
                      (SELECT count(*) FROM waiting_loan o WHERE o.ocaid = w.ocaid) AS queueLength
               FROM waiting_loan w WHERE w.patron = ?1 AND ${isAmong} ORDER BY w.since, w.ocaid LIMIT ?2`;
  const items = among === undefined ? null : JSON.stringify(among);
  return rows<WaitingPlace>(patrons, { sql, values: [patron, LENDING_ROWS_MAX, items] });
}

/** Reads the items that a patron (username in lower case) has borrowed and returned, the last first. */
export function readLoanHistory(
  patrons: Database,
  patron: string,
  { limit, offset }: Window,
): Promise<{ ocaid: string; lastLoan: number }[]> {
  const sql = `SELECT ocaid, last_loan AS lastLoan FROM loan_history WHERE patron = ?1
               ORDER BY last_loan DESC, ocaid LIMIT ?2 OFFSET ?3`;
  return rows(patrons, { sql, values: [patron, Math.min(limit, LENDING_ROWS_MAX), offset] });
}

/** Reads loans and returns after a number, in order. */
export function readLendingChanges(
  patrons: Database,
  after: number,
  limit: number,
): Promise<LendingChange[]> {
  const sql = "SELECT * FROM lending_change WHERE uid > ?1 ORDER BY uid LIMIT ?2";
  return rows<LendingChange>(patrons, { sql, values: [after, Math.min(limit, LENDING_ROWS_MAX)] });
}

const DAY_OF_TIME = "strftime('%Y-%m-%d', time / 1000, 'unixepoch')";

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Counts loans per day, oldest first; days without loans are absent. One statement over the loans of the span. */
export function countLoansByDay(
  patrons: Database,
  { from, to }: Span,
): Promise<{ day: string; loans: number }[]> {
  const sql = `SELECT ${DAY_OF_TIME} AS day, count(*) AS loans FROM lending_change
               WHERE time >= ?1 AND time < ?2 AND event = 'borrow' GROUP BY day ORDER BY day`;
  return rows(patrons, { sql, values: [from, to] });
}

/** Counts loans per day (`YYYY-MM-DD`, UTC) and item, at most `limit` rows, oldest first. */
export function countLoansByItem(
  patrons: Database,
  { from, to }: Span,
  limit: number,
): Promise<{ day: string; ocaid: string; loans: number }[]> {
  const sql = `SELECT ${DAY_OF_TIME} AS day, ocaid, count(*) AS loans FROM lending_change
               WHERE time >= ?1 AND time < ?2 AND event = 'borrow' GROUP BY day, ocaid ORDER BY day, ocaid LIMIT ?3`;
  return rows(patrons, { sql, values: [from, to, limit] });
}

/** Counts the items with a queue, the waiting patrons, and the patrons who may have their copy now. */
export async function countWaitingPatrons(patrons: Database) {
  const sql = `SELECT count(DISTINCT ocaid) AS items, count(*) - count(expiry) AS waiting, count(expiry) AS available
               FROM waiting_loan`;
  const none = { items: 0, waiting: 0, available: 0 };
  return (await firstRow<typeof none>(patrons, { sql, values: [] })) ?? none;
}

/** Reads the items of which a patron (username in lower case) has a loan or a place, according to the tables. */
export async function readItemsOfPatron(patrons: Database, patron: string): Promise<string[]> {
  const sql = `SELECT ocaid FROM loan WHERE patron = ?1 AND returned_at IS NULL
               UNION SELECT ocaid FROM waiting_loan WHERE patron = ?1`;
  return allValues<string>(patrons, { sql, values: [patron] });
}

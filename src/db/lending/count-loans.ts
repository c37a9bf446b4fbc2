import { type Database, firstRow, rows } from "../statement.ts";

/** Loans of an item on a day. */
export interface DayOfItem {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly ocaid: string;
  readonly loans: number;
}

const DAY_OF_TIME = "strftime('%Y-%m-%d', time / 1000, 'unixepoch')";

/** A half-open span of time, in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Loans by day, oldest first; days without loans are absent. One statement over the loans of the span. */
export function countLoansByDay(
  patrons: Database,
  { from, to }: Span,
): Promise<{ day: string; loans: number }[]> {
  return rows(patrons, {
    sql: `SELECT ${DAY_OF_TIME} AS day, count(*) AS loans FROM lending_change
          WHERE time >= ?1 AND time < ?2 AND event = 'borrow' GROUP BY day ORDER BY day`,
    values: [from, to],
  });
}

/** Loans by day and item, at most `limit` of them, oldest first. */
export function countLoansByItem(patrons: Database, { from, to }: Span, limit: number): Promise<DayOfItem[]> {
  return rows(patrons, {
    sql: `SELECT ${DAY_OF_TIME} AS day, ocaid, count(*) AS loans FROM lending_change
          WHERE time >= ?1 AND time < ?2 AND event = 'borrow' GROUP BY day, ocaid ORDER BY day, ocaid LIMIT ?3`,
    values: [from, to, limit],
  });
}

/** How many items are waited for, by how many patrons, and how many of those may have their copy now. */
export async function countWaiting(
  patrons: Database,
): Promise<{ items: number; waiting: number; available: number }> {
  const counted = await firstRow<{ items: number; waiting: number; available: number }>(patrons, {
    sql: `SELECT count(DISTINCT ocaid) AS items, count(*) - count(expiry) AS waiting, count(expiry) AS available
          FROM waiting_loan`,
    values: [],
  });
  return counted ?? { items: 0, waiting: 0, available: 0 };
}

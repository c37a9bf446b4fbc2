import type { HeldWork } from "../../db/patrons/forget.ts";
import { all, first } from "../storage.ts";
import { workActivity } from "./activity-item.ts";

/** What writes to the object of a removed account fail with. */
const REMOVED = "this account is removed";

/** True for what such a write fails with; of an error of another object only the text arrives. */
export function isRemoved(error: unknown): boolean {
  return error instanceof Error && error.message.includes(REMOVED);
}

/** Tables whose rows others count. */
const COUNTED = ["shelf_entry", "rating", "observation", "award"] as const;

/** What is removed of an account, in rows. */
export interface HeldCounts {
  readonly notes: number;
  readonly ratings: number;
  readonly observations: number;
  readonly shelves: number;
  readonly awards: number;
}

/** Throws when the account is removed, or is being removed: nothing is written any more. */
export function requireKept(sql: SqlStorage): void {
  const row = first<{ value: string }>(sql, "SELECT value FROM state WHERE name = 'removed'");
  if (row !== undefined) throw new Error(REMOVED);
}

/** Closes the object for good: no session opens it, and no part of it takes anything any more. */
export function seal(sql: SqlStorage): void {
  sql.exec("DELETE FROM session");
  sql.exec("DELETE FROM state WHERE name = 'code'");
  sql.exec("INSERT OR REPLACE INTO state (name, value) VALUES ('removed', 'yes'), ('barred', 'yes')");
}

/** How much there is of what an account that is removed leaves behind without its name, or takes along. */
export function heldCounts(sql: SqlStorage): HeldCounts {
  const counts = first<HeldCounts>(
    sql,
    `SELECT (SELECT count(*) FROM note) AS notes, (SELECT count(*) FROM rating) AS ratings,
            (SELECT count(*) FROM observation) AS observations, (SELECT count(*) FROM shelf_entry) AS shelves,
            (SELECT count(*) FROM award) AS awards`,
  );
  return counts ?? { notes: 0, ratings: 0, observations: 0, shelves: 0, awards: 0 };
}

/** States of the first works, in order of number: for those who keep the counts. */
export function heldWorks(sql: SqlStorage, limit: number): HeldWork[] {
  const text = `SELECT work FROM shelf_entry UNION SELECT work FROM rating
                UNION SELECT work FROM observation UNION SELECT work FROM award ORDER BY work LIMIT ?`;
  const works = all<{ work: number }>(sql, text, limit);
  return works.flatMap(({ work }) => {
    const state = workActivity(sql, work);
    return state === null ? [] : [{ work, state }];
  });
}

/** Deletes what `heldWorks` gave, once others keep its counts: whoever goes on then finds what is left. */
export function dropWorks(sql: SqlStorage, works: readonly number[]): void {
  for (const table of COUNTED) {
    // Names of our own schema.
    sql.exec(`DELETE FROM ${table} WHERE work IN (SELECT value FROM json_each(?))`, JSON.stringify(works));
  }
}

/**
 * Forgets what is noted of the object itself. Only its sequence goes on: to whoever holds a state of before, in memory or on
 * its way, what follows is newer.
 */
export function forgetState(sql: SqlStorage): void {
  sql.exec("DELETE FROM state WHERE name <> 'sequence'");
}

/**
 * Deletes everything but the sequence and the note that the account is removed. All tables, also those that are added
 * one day.
 */
export function erase(sql: SqlStorage): void {
  const text = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('step', 'state')
                  AND substr(name, 1, 4) <> '_cf_' AND substr(name, 1, 7) <> 'sqlite_'`;
  const tables = all<{ name: string }>(sql, text);
  // Names of our own schema.
  for (const { name } of tables) sql.exec(`DELETE FROM "${name}"`);
  forgetState(sql);
  seal(sql);
}

import { type PatronCore, allValues } from "../storage.ts";

/** What writes to the object of a removed account fail with. */
const REMOVED = "this account is removed";

/** True for what such a write fails with; of an error of another object only the text arrives. */
export function isRemoved(error: unknown): boolean {
  return error instanceof Error && error.message.includes(REMOVED);
}

/** Throws when the account is removed, or is being removed: nothing is written any more. */
export function requireKept(state: PatronCore["state"]): void {
  if (state.get("removed") !== undefined) throw new Error(REMOVED);
}

/** Closes the object for good: no session opens it, and no part of it takes anything any more. */
export function seal({ sql, state }: PatronCore): void {
  sql.exec("DELETE FROM session");
  state.delete("code");
  state.set("removed", "yes");
  state.set("barred", "yes");
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
export function erase(core: PatronCore): void {
  const { sql } = core;
  const text = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('step', 'state')
                  AND substr(name, 1, 4) <> '_cf_' AND substr(name, 1, 7) <> 'sqlite_'`;
  // Names of our own schema.
  for (const name of allValues<string>(sql, text)) sql.exec(`DELETE FROM "${name}"`);
  forgetState(sql);
  seal(core);
}

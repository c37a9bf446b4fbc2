import { type PatronCore, allValues } from "../storage.ts";

/** Error message of writes to the object of a removed account. */
const REMOVED = "this account is removed";

/** Returns true for the error of such a write. Errors of another object arrive with their text only. */
export function isRemoved(error: unknown): boolean {
  return error instanceof Error && error.message.includes(REMOVED);
}

/** Throws if the account is removed, or is being removed: nothing may be written any more. */
export function requireKept(state: PatronCore["state"]): void {
  if (state.get("removed") !== undefined) throw new Error(REMOVED);
}

/** Closes the object permanently: no session opens it, and no part of it accepts writes. */
export function seal({ sql, state }: PatronCore): void {
  sql.exec("DELETE FROM session");
  state.delete("code");
  state.set("removed", "yes");
  state.set("barred", "yes");
}

/**
 * Deletes the state of the object itself except its sequence: later states must be newer than earlier ones in memory or
 * under way.
 */
export function forgetState(sql: SqlStorage): void {
  sql.exec("DELETE FROM state WHERE name <> 'sequence'");
}

/**
 * Deletes everything but the sequence and the mark of the removed account. Covers all tables, also those added later.
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

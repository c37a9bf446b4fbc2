import { type PatronCore, all, first } from "./core.ts";

/** A work that became another one: numbers of their keys. */
export interface WorkMove {
  readonly from: number;
  readonly to: number;
}

const MOVES = [
  // Of what there is once a work, that of the new work stays (patrons.md 16).
  "UPDATE OR IGNORE rating SET work = ?2 WHERE work = ?1",
  "DELETE FROM rating WHERE work = ?1",
  "UPDATE OR IGNORE observation SET work = ?2 WHERE work = ?1",
  "DELETE FROM observation WHERE work = ?1",
  "UPDATE check_in SET work = ?2 WHERE work = ?1",
  // Nobody's words are thrown away: what has no room stays where it is.
  "UPDATE OR IGNORE note SET work = ?2 WHERE work = ?1",
  "UPDATE OR IGNORE award SET work = ?2 WHERE work = ?1",
];

/**
 * Moves everything that a patron holds of a work to another one, in one transaction; once more changes nothing. Returns
 * how many notes and awards had to stay, because the other work has its own.
 */
export function moveWork(core: PatronCore, { from, to }: WorkMove): number {
  // Moving something onto itself would take it for doubled.
  if (from === to) return 0;
  const kept = core.transact(() => {
    const { sql } = core;
    moveEntry(sql, { from, to });
    for (const text of MOVES) sql.exec(text, ...(text.includes("?2") ? [from, to] : [from]));
    core.mark("work", from);
    core.mark("work", to);
    const left = `SELECT (SELECT count(*) FROM note WHERE work = ?1) +
                         (SELECT count(*) FROM award WHERE work = ?1) AS kept`;
    return first<{ kept: number }>(sql, left, from)?.kept ?? 0;
  });
  core.flush();
  return kept;
}

function moveEntry(sql: SqlStorage, { from, to }: WorkMove): void {
  sql.exec("UPDATE OR IGNORE shelf_entry SET work = ?2 WHERE work = ?1", from, to);
  const gone = all<{ shelf: number }>(sql, "DELETE FROM shelf_entry WHERE work = ? RETURNING shelf", from);
  for (const { shelf } of gone)
    sql.exec("UPDATE shelf_size SET entries = entries - 1 WHERE shelf = ?", shelf);
}

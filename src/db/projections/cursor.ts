import { type Database, firstRow, prepare } from "../statement.ts";

/** Where a projection stands and where the log of changes ends. */
export interface Progress {
  readonly cursor: number;
  readonly end: number;
}

/** Reads how far a projection has followed the log. */
export async function readProgress(database: Database, projection: string): Promise<Progress> {
  const row = await firstRow<Progress>(database, {
    sql: `SELECT change_id AS cursor, (SELECT coalesce(max(id), 0) FROM change) AS end
          FROM projection WHERE name = ?1`,
    values: [projection],
  });
  if (row === undefined) throw new Error(`no projection ${projection}`);
  return row;
}

/** Moves a cursor forward, never back: consumers may run twice and at the same time. */
export async function advance(database: Database, projection: string, change: number): Promise<void> {
  const sql = "UPDATE projection SET change_id = ?2 WHERE name = ?1 AND change_id < ?2";
  await prepare(database, { sql, values: [projection, change] }).run();
}

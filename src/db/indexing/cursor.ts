import { type Database, firstRow, prepare, rows } from "../statement.ts";

/** Where a projection stands and where the log of changes ends. */
interface Progress {
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

/** How far a projection has come, whatever it follows. */
export async function readCursor(database: Database, projection: string): Promise<number> {
  const sql = "SELECT change_id AS cursor FROM projection WHERE name = ?1";
  const row = await firstRow<{ cursor: number }>(database, { sql, values: [projection] });
  if (row === undefined) throw new Error(`no projection ${projection}`);
  return row.cursor;
}

/** How far every projection has come, by name, and the newest change. */
export async function readAllProgress(
  database: Database,
): Promise<{ readonly cursors: ReadonlyMap<string, number>; readonly end: number }> {
  const found = await rows<{ name: string; cursor: number; end: number }>(database, {
    sql: `SELECT name, change_id AS cursor, (SELECT coalesce(max(id), 0) FROM change) AS end
          FROM projection ORDER BY name`,
    values: [],
  });
  return { cursors: new Map(found.map(({ name, cursor }) => [name, cursor])), end: found[0]?.end ?? 0 };
}

import { type Database, firstRow, rows, run } from "../statement.ts";

const LAST = "(SELECT coalesce(max(id), 0) FROM change)";

/** Reads the position of a projection in the log of changes, 0 if it has never run, and the end of the log. */
export async function readProgress(
  database: Database,
  projection: string,
): Promise<{ readonly cursor: number; readonly end: number }> {
  const sql = `SELECT coalesce((SELECT change_id FROM projection WHERE name = ?1), 0) AS cursor, ${LAST} AS end`;
  const row = await firstRow<{ cursor: number; end: number }>(database, { sql, values: [projection] });
  return row ?? { cursor: 0, end: 0 };
}

/** Moves a cursor forward, never back: consumers may run twice and concurrently. */
export async function advance(database: Database, projection: string, change: number): Promise<void> {
  const sql = `INSERT INTO projection (name, change_id) VALUES (?1, ?2)
    ON CONFLICT (name) DO UPDATE SET change_id = excluded.change_id
    WHERE excluded.change_id > projection.change_id`;
  await run(database, { sql, values: [projection, change] });
}

const LAST_TIME = "(SELECT created FROM change ORDER BY id DESC LIMIT 1)";

/**
 * Reads the positions of all projections by name, and the newest change with its time (naive UTC, null if there is
 * none).
 */
export async function readAllProgress(database: Database): Promise<{
  readonly cursors: ReadonlyMap<string, number>;
  readonly end: number;
  readonly endTime: string | null;
}> {
  const sql = `SELECT name, change_id AS cursor, ${LAST} AS end, ${LAST_TIME} AS "endTime" FROM projection ORDER BY name`;
  const results = await rows<{ name: string; cursor: number; end: number; endTime: string | null }>(
    database,
    {
      sql,
      values: [],
    },
  );
  const [{ end, endTime } = { end: 0, endTime: null }] = results;
  return { cursors: new Map(results.map(({ name, cursor }) => [name, cursor])), end, endTime };
}

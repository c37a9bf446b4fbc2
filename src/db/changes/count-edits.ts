import { type Database, firstRow } from "../statement.ts";

/** Changes of one author that are counted. */
export const COUNTED_EDITS_MAX = 10_000;

/** How many changes an author (`/people/<username>`) has made, counted up to `COUNTED_EDITS_MAX`. */
export async function countEdits(database: Database, author: string): Promise<number> {
  const row = await firstRow<{ edits: number }>(database, {
    sql: `SELECT count(*) AS edits FROM (SELECT 1 FROM change WHERE author = ?1 LIMIT ${COUNTED_EDITS_MAX})`,
    values: [author],
  });
  return row?.edits ?? 0;
}

import type { DumpedCover } from "../../catalog/dumps/record-line.ts";
import { type Database, rows } from "../statement.ts";

/** A row of a cover; without a size when it is not for the dump. */
export type CoverRow = Pick<DumpedCover, "id" | "date"> &
  (Pick<DumpedCover, "width" | "height"> | { readonly width: null; readonly height: null });

// All rows are counted, not those that are for the dump: very many may have been deleted, or never fetched.
const COVERS = `
  SELECT id, CASE WHEN isShown THEN width END AS width, CASE WHEN isShown THEN height END AS height, date FROM (
    SELECT id, width, height, substr(created, 1, 10) AS date,
      state = 'stored' AND deleted IS NULL AND created < ?2 AS isShown
    FROM cover WHERE id > ?1 ORDER BY id LIMIT ?3)`;

/** Covers by number, after one of them; those that are shown, and were made before a moment (naive UTC), with their size. One statement. */
export async function readDumpedCovers(
  catalog: Database,
  { after, until, limit }: { after: number; until: string; limit: number },
): Promise<CoverRow[]> {
  return rows<CoverRow>(catalog, { sql: COVERS, values: [after, until, limit] });
}

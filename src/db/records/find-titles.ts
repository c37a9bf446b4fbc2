import { idRange } from "../../catalog/record-id.ts";
import { type Database, batchRows } from "../statement.ts";
import type { RecordRow } from "./read-record.ts";

/** What a work is looked for by. */
export interface TitleWanted {
  /** Forms of `normalizedTitle`; any of them. */
  readonly titles: readonly string[];
  /** Key of an author that it must have; undefined for any. */
  readonly author: string | undefined;
}

/** Works and editions that were found. */
export interface TitleFound {
  readonly works: readonly RecordRow[];
  readonly editions: readonly RecordRow[];
}

const COLUMNS = `r.id, r.key, r.type, r.revision, r.revision AS latest, r.flags,
  r.last_modified AS lastModified, r.document`;
/** CROSS JOIN keeps the order of the tables: else all titles of the catalog would be looked at. */
const BY_TITLE = `SELECT DISTINCT p.record_id AS id FROM json_each(?1) t
  CROSS JOIN property p ON p.name = 'title' AND p.value = t.value AND p.record_id >= ?2 AND p.record_id < ?3
  WHERE ?4 IS NULL OR EXISTS (SELECT 1 FROM property a
    WHERE a.record_id = p.record_id AND a.name = 'authors.author' AND a.value = ?4)
  ORDER BY p.record_id LIMIT ?5`;

/** Works with a title, at most `limit`, and as many of their editions. One round trip. */
export async function findTitles(
  database: Database,
  { titles, author }: TitleWanted,
  limit: { readonly works: number; readonly editions: number },
): Promise<TitleFound> {
  if (titles.length === 0) return { works: [], editions: [] };
  const [works, editions] = [idRange("W"), idRange("M")];
  const values = [JSON.stringify(titles), works.from, works.to, author ?? null, limit.works];
  const [foundWorks = [], foundEditions = []] = await batchRows(database, [
    { sql: `SELECT ${COLUMNS} FROM (${BY_TITLE}) w JOIN record r ON r.id = w.id ORDER BY r.id`, values },
    {
      sql: `SELECT ${COLUMNS} FROM (${BY_TITLE}) w
            CROSS JOIN record k ON k.id = w.id
            CROSS JOIN property p ON p.name = 'works' AND p.value = k.key AND p.record_id >= ?6 AND p.record_id < ?7
            CROSS JOIN record r ON r.id = p.record_id ORDER BY r.id LIMIT ?8`,
      values: [...values, editions.from, editions.to, limit.editions],
    },
  ]);
  // The rows have the columns of the statements above.
  return { works: foundWorks as RecordRow[], editions: foundEditions as RecordRow[] };
}

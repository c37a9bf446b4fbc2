import { LIST_SEEDS_MAX } from "../../catalog/lists/limits.ts";
import type { ListHead } from "../../catalog/lists/view.ts";
import type { RecordRow } from "../records/rows.ts";
import { type Fitting, fitting, fittingRecords } from "../records/whole-documents.ts";
import { type Database, rows } from "../statement.ts";
import { readListWith } from "./read.ts";
import { SEED_KEY, isWorkOfSeries } from "./rows.ts";

/** Types of the records that are exported. */
export type ExportedType = "/type/edition" | "/type/work" | "/type/author";

/** A list or series with the numbers and types of the records that it exports, newest first. */
export interface ListExport {
  readonly list: ListHead;
  readonly records: readonly { readonly id: number; readonly type: ExportedType }[];
}

/** What is exported of a list or series, each record once; undefined when there is none. One round trip. */
export async function readListExport(database: Database, key: string): Promise<ListExport | undefined> {
  const sql = `SELECT id, type FROM (
               SELECT DISTINCT m.id, m.type, m.last_modified, m.key
               FROM record l, json_each(l.document, '$.seeds') e CROSS JOIN record m ON m.key = ${SEED_KEY}
               WHERE l.key = ?1 AND l.type = '/type/list' AND e.key < ${LIST_SEEDS_MAX}
                 AND m.type IN ('/type/edition', '/type/work', '/type/author')
               UNION SELECT m.id, m.type, m.last_modified, m.key FROM property p CROSS JOIN record m ON m.id = p.record_id
               WHERE ${isWorkOfSeries("?1")}
               ORDER BY 3 DESC, 4 LIMIT ${LIST_SEEDS_MAX})`;
  const read = await readListWith<ListExport["records"][number]>(database, key, { sql, values: [key] });
  return read && { list: read.list, records: read.found };
}

const BY_IDS = fittingRecords({
  source: "SELECT key AS place, CAST(value AS BIGINT) AS id FROM json_each(?1)",
  order: "place",
  more: ["place"],
});

/**
 * Records by their numbers, in the order of these, as far as there is room; those that are gone meanwhile are left out.
 * `done` of the numbers were looked at. One statement.
 */
export async function readByIds(
  database: Database,
  ids: readonly number[],
): Promise<{ readonly found: readonly RecordRow[]; readonly done: number }> {
  const statement = { sql: BY_IDS, values: [JSON.stringify(ids)] };
  const all = await rows<Fitting<RecordRow> & { place: number }>(database, statement);
  const found = fitting<RecordRow>(all);
  return { found, done: all[found.length]?.place ?? ids.length };
}

import type { ListHead } from "../../catalog/lists/list-view.ts";
import { idRange } from "../../catalog/record-id.ts";
import type { RecordRow } from "../records/read-record.ts";
import { type Fitting, fitting, fittingRecords } from "../records/whole-documents.ts";
import { type Database, batchRows } from "../statement.ts";
import { type HeadRow, headOf, listHead } from "./read-list.ts";
import { SEED_KEY } from "./seed-columns.ts";

/** A page of the editions in a list. */
export interface ListEditions {
  readonly list: ListHead;
  /** How many there are in all. */
  readonly size: number;
  /** In the order of the list; fewer than the page has room for where they are larger than one answer may be. */
  readonly editions: readonly RecordRow[];
}

/** A row of `EDITIONS`: without an edition when the page has none. */
type EditionRow = { readonly size: number } & (Fitting<RecordRow> | { readonly id: null });

const { from, to } = idRange("M");

/**
 * Every member with the key of an edition is looked for among the numbers of editions, by the number that its key tells:
 * no record is read but those of the page. Only keys without such a number are looked up.
 */
const EDITIONS = `
  WITH seed AS MATERIALIZED (
    SELECT e.key AS place, ${SEED_KEY} AS named FROM record l, json_each(l.document, '$.seeds') e
    WHERE l.key = ?1 AND l.type = '/type/list' AND instr(l.document, '/b') > 0 AND instr(e.value, '/b') > 0),
  numbered AS MATERIALIZED (
    SELECT place, named, CAST(substr(named, length('/books/' || ?4) + 1) AS INTEGER) AS number FROM seed
    WHERE named >= '/books/' AND named < '/books0'),
  edition AS MATERIALIZED (
    SELECT m.id, s.place FROM (
      SELECT place, iif(named = '/books/' || ?4 || number || 'M' AND number BETWEEN 0 AND ${to - from - 1},
        ${from} + number, (SELECT id FROM record WHERE key = named)) AS id FROM numbered) s
    CROSS JOIN record m INDEXED BY record_by_type ON m.type = '/type/edition' AND m.id = s.id)
  SELECT n.size, p.* FROM (SELECT count(*) AS size FROM edition) n
  LEFT JOIN (${fittingRecords({
    source: "SELECT id, place FROM edition ORDER BY place LIMIT ?2 OFFSET ?3",
    order: "place",
    more: ["place"],
  })}) p
  ORDER BY p.place`;

/** Which editions of a list are read; `prefix` is that of record numbers. */
export interface EditionsWindow {
  readonly limit: number;
  readonly offset: number;
  readonly prefix: string;
}

/** Editions that are seeds of a list themselves; none of series. Undefined when there is no such list. One round trip. */
export async function readListEditions(
  database: Database,
  key: string,
  { limit, offset, prefix }: EditionsWindow,
): Promise<ListEditions | undefined> {
  const [heads = [], found = []] = await batchRows(database, [
    listHead(key),
    { sql: EDITIONS, values: [key, limit, offset, prefix] },
  ]);
  // The rows have the columns of the statements.
  const list = headOf((heads as HeadRow[])[0]);
  if (list === undefined) return undefined;
  const rows = found as EditionRow[];
  const editions = fitting<RecordRow>(rows.filter(({ id }) => id !== null));
  return { list, size: rows[0]?.size ?? 0, editions };
}

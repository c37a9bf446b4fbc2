import { parseDocument } from "../../catalog/document.ts";
import { indexRowsOf } from "../../catalog/index-rows.ts";
import { idRangeOf } from "../../catalog/key-numbers.ts";
import type { RecordColumns } from "../records/record-rows.ts";
import { type Database, type Statement, batchRows, firstValue, overList, rows, run } from "../statement.ts";

export const BACKFILL_RECORDS = 500;
const NAME = "imports";
/** Names of the `property` rows by which imports look up authors, works and editions. */
const ROWS: ReadonlySet<string> = new Set(["alternate_names", "name_years", "author_title", "long_title"]);
const LOCAL_ID = "local_id";
/** End of the id range of authors, editions and works. Records whose key has no number come before it. */
const END = idRangeOf("W").to;

type Row = Pick<RecordColumns, "id" | "change" | "document">;

/**
 * Adds the lookup rows of imports to the next page of records, for records stored before these rows existed. Returns
 * false when no records are left. Safe to repeat and to run concurrently.
 */
export async function runBackfillPage(database: Database, prefix: string): Promise<boolean> {
  const sql = "SELECT position FROM index_backfill WHERE name = ?1";
  const position = await firstValue<number>(database, { sql, values: [NAME] });
  if (position === undefined) return false;
  if (position >= END) {
    await run(database, { sql: "DELETE FROM index_backfill WHERE name = ?1", values: [NAME] });
    return false;
  }
  const page = await readBackfillPage(database, position);
  const end = page.length < BACKFILL_RECORDS ? END : (page.at(-1)?.id ?? 0) + 1;
  await batchRows(database, [...insertRows(page, prefix), movePosition(page, end)]);
  return true;
}

/** Reads a page of records. Editions are numerous, so only the members that the rows are built from are read. */
function readBackfillPage(database: Database, from: number): Promise<Row[]> {
  const sql = `SELECT id, change_id AS change, CASE type WHEN '/type/edition' THEN CAST(json_object('type', json_object('key', type),
                 'title', document->'$.title', 'local_id', document->'$.local_id') AS TEXT) ELSE document END AS document
               FROM record WHERE id >= ?1 AND id < ?2 AND +type IN ('/type/author', '/type/edition', '/type/work')
               ORDER BY id LIMIT ?3`;
  return rows<Row>(database, { sql, values: [from, END, BACKFILL_RECORDS] });
}

function insertRows(page: readonly Row[], prefix: string): Statement[] {
  const documents = page.map(({ document, ...row }) => ({
    ...row,
    ...indexRowsOf(parseDocument(document), prefix),
  }));
  const properties = documents.flatMap(({ id, change, properties: all }) =>
    all.filter(({ name }) => ROWS.has(name)).map(({ name, value }) => [name, value, id, change]),
  );
  const identifiers = documents.flatMap(({ id, change, identifiers: all }) =>
    all.filter(({ kind }) => kind === LOCAL_ID).map(({ kind, value }) => [kind, value, id, change]),
  );
  return [
    ...overList(properties, insertionSql("property (name, value, record_id)")),
    ...overList(identifiers, insertionSql("identifier (kind, value, edition_id)")),
  ];
}

/** Returns an INSERT that skips records changed since they were read. */
function insertionSql(table: string): string {
  return `INSERT INTO ${table}
    SELECT e.value->>0, e.value->>1, r.id FROM json_each(?1) e CROSS JOIN record r
    ON r.id = CAST(e.value->>2 AS BIGINT) AND r.change_id = CAST(e.value->>3 AS BIGINT) WHERE true
    ON CONFLICT DO NOTHING`;
}

/**
 * Moves the position forward, never back, and stops at the first record that changed in the meantime: a save writes
 * only the rows that its own change adds, not the ones missing from before.
 */
function movePosition(page: readonly Row[], end: number): Statement {
  return {
    sql: `UPDATE index_backfill SET position = next.position FROM (
            SELECT coalesce((SELECT min(e.id) FROM (
              SELECT CAST(value->>0 AS BIGINT) AS id, CAST(value->>1 AS BIGINT) AS change FROM json_each(?2)) e
              LEFT JOIN record r ON r.id = e.id WHERE r.change_id IS DISTINCT FROM e.change), ?3) AS position) next
          WHERE name = ?1 AND index_backfill.position < next.position`,
    values: [NAME, JSON.stringify(page.map(({ id, change }) => [id, change])), end],
  };
}

import { indexRows } from "../../catalog/index-rows.ts";
import { idRange } from "../../catalog/record-id.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { type Database, type Statement, batchRows, firstRow, overList, rows } from "../statement.ts";

/** Records that get their missing rows together. */
export const BACKFILL_RECORDS = 500;
const NAME = "imports";
/** Rows that imports look authors and works up by. */
const ROWS: ReadonlySet<string> = new Set(["alternate_names", "name_years", "author_title"]);
/** Ids of authors and of keys without a number, and of works. */
const RANGES = [{ from: 0, to: idRange("A").to }, idRange("W")] as const;

interface Row {
  readonly id: number;
  readonly change: number;
  readonly document: string;
}

/**
 * Gives the rows that imports look up by to the next authors and works that were stored before there were such rows.
 * Returns false when none is left. A record that changes meanwhile has its rows from whoever changed it. Running it
 * twice, or at the same time, does no harm.
 */
export async function backfillPage(database: Database, prefix: string): Promise<boolean> {
  const at = await firstRow<{ position: number }>(database, {
    sql: "SELECT position FROM index_backfill WHERE name = ?1",
    values: [NAME],
  });
  if (at === undefined) return false;
  const range = RANGES.find(({ to }) => at.position < to);
  if (range === undefined) {
    await batchRows(database, [{ sql: "DELETE FROM index_backfill WHERE name = ?1", values: [NAME] }]);
    return false;
  }
  const page = await readPage(database, Math.max(at.position, range.from), range.to);
  const end = page.length < BACKFILL_RECORDS ? range.to : (page.at(-1)?.id ?? 0) + 1;
  await batchRows(database, [...insertions(page, prefix), moved(end)]);
  return true;
}

function readPage(database: Database, from: number, to: number): Promise<Row[]> {
  return rows<Row>(database, {
    sql: `SELECT id, change_id AS change, document FROM record
          WHERE id >= ?1 AND id < ?2 AND +type IN ('/type/author', '/type/work') ORDER BY id LIMIT ?3`,
    values: [from, to, BACKFILL_RECORDS],
  });
}

function insertions(page: readonly Row[], prefix: string): Statement[] {
  const missing = page.flatMap(({ id, change, document }) => {
    // What is stored went through validation when it was written.
    const { properties } = indexRows(JSON.parse(document) as CatalogRecord, prefix);
    return properties
      .filter(({ name }) => ROWS.has(name))
      .map(({ name, value }) => [name, value, id, change]);
  });
  return overList(
    missing,
    `INSERT OR IGNORE INTO property (name, value, record_id)
     SELECT e.value->>0, e.value->>1, r.id FROM json_each(?1) e
     CROSS JOIN record r ON r.id = e.value->>2 AND r.change_id = e.value->>3`,
  );
}

/** Only ever forward. */
function moved(position: number): Statement {
  const sql = "UPDATE index_backfill SET position = ?2 WHERE name = ?1 AND position < ?2";
  return { sql, values: [NAME, position] };
}

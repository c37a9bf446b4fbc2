import type { IdRange } from "../../catalog/key-numbers.ts";
import { type Database, type Statement, batchRows, rows } from "../statement.ts";
import type { RecordColumns } from "./record-rows.ts";

/** Range of record numbers per file: works below 5,000, the next 5,000, and so on. */
export const SITEMAP_NUMBERS = 5000;
/** Maximum number of files per kind of record: half of the limit of an index. */
const SITEMAP_FILES_MAX = 25_000;

type SitemapRow = Pick<RecordColumns, "key" | "lastModified">;

/** Reads the numbers of the files that have any records, for each kind. One round trip, one lookup per file. */
export async function readSitemapFiles(database: Database, kinds: readonly IdRange[]): Promise<number[][]> {
  const groups = await batchRows(database, kinds.map(filesStatement));
  // The rows have the column of the statement.
  return groups.map((numbers) => (numbers as { n: number }[]).map(({ n }) => n));
}

function filesStatement({ from, to }: IdRange): Statement {
  // D1 binds ids as floating point numbers.
  const next = (start: string) =>
    `((SELECT min(id) FROM record WHERE id >= ${start} AND id < CAST(?2 AS BIGINT)) - CAST(?1 AS BIGINT)) / ${SITEMAP_NUMBERS}`;
  return {
    sql: `WITH RECURSIVE file (n, place) AS (
            SELECT ${next("CAST(?1 AS BIGINT)")}, 1
            UNION ALL
            SELECT ${next(`CAST(?1 AS BIGINT) + (n + 1) * ${SITEMAP_NUMBERS}`)}, place + 1
            FROM file WHERE n IS NOT NULL AND place < ${SITEMAP_FILES_MAX})
          SELECT n FROM file WHERE n IS NOT NULL`,
    values: [from, to],
  };
}

/** Reads the records of a type in one file, by number, without deleted and redirected ones. One statement. */
export function readSitemapFile(database: Database, type: string, from: number): Promise<SitemapRow[]> {
  const sql = `SELECT key, last_modified AS lastModified FROM record
               WHERE id >= ?1 AND id < CAST(?1 AS BIGINT) + ${SITEMAP_NUMBERS} AND +type = ?2 ORDER BY id`;
  return rows<SitemapRow>(database, { sql, values: [from, type] });
}

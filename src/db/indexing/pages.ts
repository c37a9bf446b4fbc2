import { HIGHEST_NUMBER, type IdRange, idRange } from "../../catalog/key-numbers.ts";
import { type Database, allValues, firstRow, rows } from "../statement.ts";

/** Ids found in a walk over records, and its position. `end` is true if no records are left. */
interface Walk {
  readonly ids: readonly number[];
  readonly position: number;
  readonly end: boolean;
}

const WORKS = idRange("W");
const EDITIONS = idRange("M");
const AUTHORS = idRange("A");

/** Range of a page: records with numbers above `after`, up to `last`, at most `limit`. */
export interface PageOf {
  readonly after: number;
  readonly last?: number | undefined;
  readonly limit: number;
}

export function readWorkPage(
  catalog: Database,
  { after, last = HIGHEST_NUMBER, limit }: PageOf,
): Promise<number[]> {
  return allValues<number>(catalog, {
    sql: `SELECT id - ${WORKS.from} FROM record WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3`,
    values: [WORKS.from + after, WORKS.from + last, limit],
  });
}

/**
 * Reads editions without a work among the next records under edition keys: pseudo-works, by their index numbers, which
 * are negative. Positions are edition numbers.
 */
export async function readLonePage(
  catalog: Database,
  { after, last = HIGHEST_NUMBER, limit }: PageOf,
): Promise<Walk> {
  const results = await rows<{ number: number; lone: number }>(catalog, {
    sql: `SELECT id - ${EDITIONS.from} AS number,
                 type = '/type/edition' AND document->>'$.works[0].key' IS NULL AS lone
          FROM record WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3`,
    values: [EDITIONS.from + after, EDITIONS.from + last, limit],
  });
  const ids = results.filter(({ lone }) => lone === 1).map(({ number }) => -number);
  return { ids, position: results.at(-1)?.number ?? after, end: results.length < limit };
}

type RecordCounts = Readonly<Record<"works" | "editions" | "authors" | "lists", number>>;

/**
 * Counts the records that a rebuild walks over: records under keys of works, editions and authors, lists and series.
 * One statement.
 */
export async function countRecords(catalog: Database): Promise<RecordCounts> {
  // Uses an index, because the table itself contains the documents.
  const sql = `SELECT ${countSql(WORKS)} AS works, ${countSql(EDITIONS)} AS editions, ${countSql(AUTHORS)} AS authors,
                 count(CASE WHEN type IN ('/type/list', '/type/series') THEN 1 END) AS lists
               FROM record INDEXED BY record_by_type`;
  const counts = await firstRow<RecordCounts>(catalog, { sql, values: [] });
  return counts ?? { works: 0, editions: 0, authors: 0, lists: 0 };
}

function countSql({ from, to }: IdRange): string {
  return `count(CASE WHEN id >= ${from} AND id < ${to} THEN 1 END)`;
}

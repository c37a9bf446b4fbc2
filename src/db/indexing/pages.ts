import { type IdRange, idRange } from "../../catalog/key-numbers.ts";
import { type Database, allValues, firstRow, rows } from "../statement.ts";

/** Ids found in a walk over records, and where the walk stands; `end` when there was nothing more to look at. */
interface Walk {
  readonly ids: readonly number[];
  readonly position: number;
  readonly end: boolean;
}

const WORKS = idRange("W");
const EDITIONS = idRange("M");
const AUTHORS = idRange("A");

/** Numbers of the next records under keys of works after the number `after`, in order. One statement. */
export function readWorkPage(catalog: Database, after: number, limit: number): Promise<number[]> {
  return allValues<number>(catalog, {
    sql: `SELECT id - ${WORKS.from} FROM record WHERE id > ?1 AND id < ${WORKS.to} ORDER BY id LIMIT ?2`,
    values: [WORKS.from + after, limit],
  });
}

/**
 * Editions without a work among the next `limit` records under keys of editions: pseudo-works, by their numbers
 * in the index, which are negative. Positions are numbers of editions.
 */
export async function readLonePage(catalog: Database, after: number, limit: number): Promise<Walk> {
  const found = await rows<{ number: number; lone: number }>(catalog, {
    sql: `SELECT id - ${EDITIONS.from} AS number,
                 type = '/type/edition' AND document->>'$.works[0].key' IS NULL AS lone
          FROM record WHERE id > ?1 AND id < ${EDITIONS.to} ORDER BY id LIMIT ?2`,
    values: [EDITIONS.from + after, limit],
  });
  const ids = found.filter(({ lone }) => lone === 1).map(({ number }) => -number);
  return { ids, position: found.at(-1)?.number ?? after, end: found.length < limit };
}

type RecordCounts = Readonly<Record<"works" | "editions" | "authors" | "lists", number>>;

/** Counts what a rebuild walks over: records under keys of works, editions and authors, lists and series. One statement. */
export async function countRecords(catalog: Database): Promise<RecordCounts> {
  // Along an index: the table itself has the documents.
  const sql = `SELECT ${countSql(WORKS)} AS works, ${countSql(EDITIONS)} AS editions, ${countSql(AUTHORS)} AS authors,
                 count(CASE WHEN type IN ('/type/list', '/type/series') THEN 1 END) AS lists
               FROM record INDEXED BY record_by_type`;
  const counts = await firstRow<RecordCounts>(catalog, { sql, values: [] });
  return counts ?? { works: 0, editions: 0, authors: 0, lists: 0 };
}

function countSql({ from, to }: IdRange): string {
  return `count(CASE WHEN id >= ${from} AND id < ${to} THEN 1 END)`;
}

import { type IdRange, idRange } from "../../catalog/key-numbers.ts";
import { type Database, firstRow, rows } from "../statement.ts";

/** A work by its number in the index (src/search/indexing/ids.ts), and how many editions it has. */
export interface SizedWork {
  readonly id: number;
  readonly editions: number;
}

/** Ids found in a walk over records, and where the walk stands; `end` when there was nothing more to look at. */
interface Walk {
  readonly ids: readonly number[];
  readonly position: number;
  readonly end: boolean;
}

/** Editions of one page of sources, and of one work, at most: a page must fit into memory. */
export const PAGE_EDITIONS_MAX = 3000;

const WORKS = idRange("W");
const EDITIONS = idRange("M");
const AUTHORS = idRange("A");

const EDITION_COUNT = `
  (SELECT count(*) FROM property p WHERE p.name = 'works' AND p.value = r.key
   AND p.record_id >= ${EDITIONS.from} AND p.record_id < ${EDITIONS.to})`;

/** Records under keys of works after the number `after`, in order of number. One statement. */
export function readWorkPage(catalog: Database, after: number, limit: number): Promise<SizedWork[]> {
  return rows<SizedWork>(catalog, {
    sql: `SELECT r.id - ${WORKS.from} AS id, ${EDITION_COUNT} AS editions FROM record r
          WHERE r.id > ?1 AND r.id < ${WORKS.to} ORDER BY r.id LIMIT ?2`,
    values: [WORKS.from + after, limit],
  });
}

/** The number of editions of works by number; works that are not stored have none. One statement. */
export async function readSizes(catalog: Database, ids: readonly number[]): Promise<SizedWork[]> {
  if (ids.length === 0) return [];
  return rows<SizedWork>(catalog, {
    sql: `SELECT e.value AS id, CASE WHEN r.id IS NULL THEN 0 ELSE ${EDITION_COUNT} END AS editions
          FROM json_each(?1) e LEFT JOIN record r ON r.id = ${WORKS.from} + e.value AND e.value >= 0`,
    values: [JSON.stringify(ids)],
  });
}

/** Cuts works into pages that can be read at once, in their order. */
export function pagesOf(works: readonly SizedWork[], limit: number): number[][] {
  const pages: number[][] = [];
  let editions = Number.POSITIVE_INFINITY;
  for (const work of works) {
    const page = pages.at(-1);
    if (page === undefined || page.length >= limit || editions + work.editions > PAGE_EDITIONS_MAX) {
      pages.push([work.id]);
      editions = work.editions;
    } else {
      page.push(work.id);
      editions += work.editions;
    }
  }
  return pages;
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
  const sql = `SELECT ${countSql(WORKS)} AS works, ${countSql(EDITIONS)} AS editions, ${countSql(AUTHORS)} AS authors,
                 (SELECT count(*) FROM record WHERE type IN ('/type/list', '/type/series')) AS lists`;
  const counts = await firstRow<RecordCounts>(catalog, { sql, values: [] });
  return counts ?? { works: 0, editions: 0, authors: 0, lists: 0 };
}

function countSql({ from, to }: IdRange): string {
  return `(SELECT count(*) FROM record WHERE id >= ${from} AND id < ${to})`;
}

import { type IdRange, HIGHEST_NUMBER, idRangeOf } from "../../catalog/key-numbers.ts";
import { type IndexState, type IndexNotes, STATES } from "./index-state.ts";
import {
  type Database,
  type Statement,
  allValues,
  batchRows,
  firstRow,
  firstValue,
  rows,
  run,
} from "../statement.ts";

/** Steps of a rebuild that walk over all records of a kind, by the letter of their keys. */
const RANGED = { works: "W", editions: "M", authors: "A" } as const;

/** Maximum number of ranges per step. `NUMBERS_MIN` is the minimum size of a range. */
const RANGES_MAX = 32;
const NUMBERS_MIN = 5000;

export interface NumberRange {
  readonly phase: string;
  readonly position: number;
  readonly last: number;
}

type Of = Pick<IndexState, "phase" | "started">;

const RANGE = "engine = ?1 AND phase = ?2 AND started = ?3";

/** Plans the ranges of a rebuild, as many as the highest numbers of the catalog justify. One statement. */
export async function planRanges(catalog: Database): Promise<NumberRange[]> {
  const highest = Object.entries(RANGED).map(([phase, letter]) => {
    const { from, to } = idRangeOf(letter);
    return `(SELECT coalesce(max(id) - ${from}, 0) FROM record WHERE id >= ${from} AND id < ${to}) AS ${phase}`;
  });
  const sql = `SELECT ${highest.join(", ")}`;
  const highestNumbers = (await firstRow<Record<string, number>>(catalog, { sql, values: [] })) ?? {};
  return Object.keys(RANGED).flatMap((phase) => {
    const size = Math.max(NUMBERS_MIN, Math.ceil((highestNumbers[phase] ?? 0) / RANGES_MAX));
    const count = Math.max(1, Math.ceil((highestNumbers[phase] ?? 0) / size));
    // The last range includes records created in the meantime.
    return Array.from({ length: count }, (_, at) => {
      return { phase, position: at * size, last: at === count - 1 ? HIGHEST_NUMBER : (at + 1) * size };
    });
  });
}

/** Returns statements that replace the stored ranges with those of a rebuild. */
export function rangeStatements(
  { engine }: IndexNotes,
  ranges: readonly NumberRange[],
  started: string,
): Statement[] {
  const sql = `INSERT INTO index_range (engine, phase, last, position, started)
    SELECT ?1, e.value->>'$.phase', e.value->>'$.last', e.value->>'$.position', ?2 FROM json_each(?3) e`;
  return [
    { sql: "DELETE FROM index_range WHERE engine = ?1", values: [engine] },
    { sql, values: [engine, started, JSON.stringify(ranges)] },
  ];
}

/** Claims the first range of the step that is free at `now`, until `until`. Returns undefined if there is none. */
export async function takeRange(
  { database, engine }: IndexNotes,
  { phase, started }: Of,
  { now, until }: { now: string; until: string },
): Promise<NumberRange | undefined> {
  const sql = `UPDATE index_range SET held = ?5
    WHERE ${RANGE} AND last = (SELECT min(last) FROM index_range WHERE ${RANGE} AND held <= ?4)
    RETURNING phase, position, last`;
  return firstRow<NumberRange>(database, { sql, values: [engine, phase, started, now, until] });
}

/** Stores the progress of a range and counts its records, unless another worker has moved it. */
export async function moveRange(
  { database, engine }: IndexNotes,
  { started, from, to, records, until }: MovedRange,
): Promise<void> {
  const place = `${RANGE} AND last = ?4 AND position = ?5`;
  const at = [engine, from.phase, started, from.last, from.position];
  await batchRows(database, [
    {
      sql: `UPDATE ${STATES[engine]} SET done = done + ?6
            WHERE started = ?3 AND EXISTS (SELECT 1 FROM index_range WHERE ${place})`,
      values: [...at, records],
    },
    { sql: `UPDATE index_range SET position = ?6, held = ?7 WHERE ${place}`, values: [...at, to, until] },
  ]);
}

interface MovedRange extends Pick<Of, "started"> {
  readonly from: NumberRange;
  readonly to: number;
  readonly records: number;
  readonly until: string;
}

/** Releases a range, or deletes it if it is done. */
export async function leaveRange(
  { database, engine }: IndexNotes,
  { started }: Of,
  { range: { phase, last }, isDone }: { range: NumberRange; isDone: boolean },
): Promise<void> {
  const what = isDone ? "DELETE FROM index_range" : "UPDATE index_range SET held = ''";
  await run(database, {
    sql: `${what} WHERE ${RANGE} AND last = ?4`,
    values: [engine, phase, started, last],
  });
}

export async function countRanges({ database, engine }: IndexNotes, { phase, started }: Of): Promise<number> {
  const sql = `SELECT count(*) FROM index_range WHERE ${RANGE}`;
  return (await firstValue<number>(database, { sql, values: [engine, phase, started] })) ?? 0;
}

/** Ids found in a walk over records, and its position. `end` is true if no records are left. */
interface Walk {
  readonly ids: readonly number[];
  readonly position: number;
  readonly end: boolean;
}

const WORKS = idRangeOf("W");
const EDITIONS = idRangeOf("M");
const AUTHORS = idRangeOf("A");

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
  const results = await rows<{ number: number; standalone: number }>(catalog, {
    sql: `SELECT id - ${EDITIONS.from} AS number,
                 type = '/type/edition' AND document->>'$.works[0].key' IS NULL AS standalone
          FROM record WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3`,
    values: [EDITIONS.from + after, EDITIONS.from + last, limit],
  });
  const ids = results.filter(({ standalone }) => standalone === 1).map(({ number }) => -number);
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

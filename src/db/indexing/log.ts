import { latestRecordOf, parseDocument, toReadView } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import {
  type RecordRow,
  bytesBefore,
  documentWithin,
  fitting,
  fittingRecords,
} from "../records/record-rows.ts";
import { READ_DOCUMENT_BYTES } from "../../catalog/bytes.ts";
import { type Database, type Statement, batchGroups, firstRow, firstValue, rows, run } from "../statement.ts";
import type { Naming } from "./named-records.ts";
import {
  type PrefetchGroups,
  type SourceRows,
  PREFETCH_RECORDS_MAX,
  areFullyRead,
  prefetchStatements,
} from "./works.ts";

interface LogRange {
  readonly from: number;
  readonly to: number;
}

export interface Touched {
  readonly id: number;
  readonly key: string;
  readonly latest: CatalogRecord;
  /** Its earlier states before and between these changes, as far as they are stored. */
  readonly before: readonly CatalogRecord[];
}

/** Maximum number of changes read for one part of the log. */
const CHANGES_LOOKED_AT_MAX = 200;

const SIZES = `
  SELECT id, (SELECT count(*) FROM record r WHERE r.change_id = c.id) +
             (SELECT count(*) FROM revision v WHERE v.change_id = c.id) AS size
  FROM change c WHERE c.id > ?1 ORDER BY c.id LIMIT ${CHANGES_LOOKED_AT_MAX}`;

/**
 * Returns the next part of the log after a change: whole changes with at most `records` revisions, but at least one
 * change.
 */
export async function readNextRange(
  catalog: Database,
  after: number,
  records: number,
): Promise<LogRange | undefined> {
  const changes = await rows<{ id: number; size: number }>(catalog, { sql: SIZES, values: [after] });
  let total = 0;
  const chosen = changes.filter(({ size }, index) => (total += size) <= records || index === 0);
  const last = chosen.at(-1);
  return last === undefined ? undefined : { from: after, to: last.id };
}

/** SQL of the ids of records with revisions made in a part of the log, after an id. All but `limit` are SQL. */
function touchedSql({
  from,
  to,
  after,
  limit,
}: Readonly<Record<"from" | "to" | "after" | "limit", string>>): string {
  return `
    SELECT id FROM record WHERE change_id > ${from} AND change_id <= ${to} AND id > ${after}
    UNION
    SELECT record_id FROM revision WHERE change_id > ${from} AND change_id <= ${to} AND record_id > ${after}
    ORDER BY 1 LIMIT ${limit}`;
}

/** Bytes of each of the two lists of revisions. With the prefetched sources a batch has `READ_DOCUMENT_BYTES`. */
const TOUCHED_BYTES = READ_DOCUMENT_BYTES / 4;
/** SQL of the latest revisions of the records in the table `touched`. */
const LATEST = fittingRecords({ source: "SELECT id FROM touched", order: "id", bytes: TOUCHED_BYTES });

/** Returns SQL of the condition that a revision `v` of a record `t` was made in a range, or is the newest one before it. */
function isEarlierSql({ from, to }: Readonly<Record<"from" | "to", string>>): string {
  return `(v.change_id > ${from} AND v.change_id <= ${to})
    OR v.revision = (SELECT max(o.revision) FROM revision o WHERE o.record_id = t.id AND o.change_id <= ${from})`;
}

/**
 * Returns SQL of revisions of the records in the table `touched`: the newest one before a range, which the index may show,
 * and those made in the range.
 */
function beforeSql(range: Readonly<Record<"from" | "to", string>>): string {
  return `
  SELECT v.record_id AS id, ${documentWithin("f.before", "v.document", TOUCHED_BYTES)}
  FROM (SELECT v.record_id, v.revision, ${bytesBefore("octet_length(v.document)", "v.record_id, v.revision")} AS before
        FROM touched t JOIN revision v ON v.record_id = t.id
        WHERE ${isEarlierSql(range)}) f
  JOIN revision v ON v.record_id = f.record_id AND v.revision = f.revision
  ORDER BY v.record_id, v.revision`;
}

interface TouchedRows {
  latest: RecordRow;
  before: { id: number; document: string };
}

const BOUND_RANGE = { from: "?1", to: "?2", after: "?3", limit: "?4" };
const BOUND_TABLES = `WITH touched AS (${touchedSql(BOUND_RANGE)})`;

/**
 * Reads records with revisions made in a part of the log, after an id, in order of id, as far as they fit into memory.
 * Q497: of a record whose revisions do not fit together, the first ones are read. One round trip.
 */
export async function readTouched(
  catalog: Database,
  { from, to }: LogRange,
  { after, limit }: { after: number; limit: number },
): Promise<TouchedPage> {
  const values = [from, to, after, limit];
  const rowsRead = await batchGroups<TouchedRows>(catalog, {
    latest: { sql: BOUND_TABLES + LATEST, values },
    before: { sql: BOUND_TABLES + beforeSql(BOUND_RANGE), values },
  });
  return touchedOf(rowsRead, limit);
}

interface TouchedPage {
  readonly touched: readonly Touched[];
  readonly isLast: boolean;
}

function touchedOf(
  { latest, before }: { [name in keyof TouchedRows]: TouchedRows[name][] },
  limit: number,
): TouchedPage {
  const fittingBefore = fitting<(typeof before)[number]>(before);
  const cut = before[fittingBefore.length]?.id ?? Infinity;
  const whole = fitting<RecordRow>(latest);
  const complete = whole.filter(({ id }, index) => id < cut || index === 0);
  const earlier = Map.groupBy(fittingBefore, ({ id }) => id);
  const touched = complete.map((row) => ({
    id: row.id,
    key: row.key,
    latest: latestRecordOf(row),
    before: (earlier.get(row.id) ?? []).map(({ document }) => toReadView(parseDocument(document))),
  }));
  return { touched, isLast: latest.length < limit && complete.length === latest.length };
}

const NEXT_RANGE = {
  from: "(SELECT start FROM part)",
  to: "(SELECT last FROM part)",
  after: "0",
  limit: "?2",
};
/** Highest position of the projections with the names in `?1`. */
const POSITION = `position AS MATERIALIZED (
    SELECT coalesce(max(change_id), 0) AS start FROM projection WHERE name IN (SELECT value FROM json_each(?1)))`;
/** Range of the log after it: whole changes with at most `?2` revisions, but at least one change. */
const PART = `part AS MATERIALIZED (
    SELECT (SELECT start FROM position) AS start, max(id) AS last FROM (
      SELECT id, CAST(sum(size) OVER (ORDER BY id) AS BIGINT) AS total, row_number() OVER (ORDER BY id) AS place
      FROM (${SIZES.replace("?1", "(SELECT start FROM position)")}) s) t
    WHERE total <= ?2 OR place = 1)`;
/** Tables of the next part of the log, with the records that it touches. */
const NEXT_TABLES = `
  WITH ${POSITION}, ${PART}, touched AS MATERIALIZED (${touchedSql(NEXT_RANGE)})`;

/** Next part of the log, with the positions of all projections. */
export interface LogPart extends TouchedPage {
  readonly cursors: ReadonlyMap<string, number>;
  /** Highest position of the requested projections. */
  readonly start: number;
  /** Newest change. */
  readonly end: number;
  /** Undefined at the end of the log. */
  readonly range: LogRange | undefined;
  /**
   * Sources of the works that the first records belong to or belonged to, and of those that refer to them; undefined if
   * they are too large.
   */
  readonly prefetch: SourceRows | undefined;
  /** All references to the records; undefined if there are too many records or references. */
  readonly naming: readonly Naming[] | undefined;
}

/**
 * Reads the part of the log after the highest position of some projections: whole changes with at most `records`
 * revisions, but at least one change. One round trip.
 */
export async function readLogPart(
  catalog: Database,
  projections: readonly string[],
  records: number,
): Promise<LogPart> {
  const values = [JSON.stringify(projections), records];
  const { cursors, ranges, latest, before, naming, ...prefetch } = await batchGroups<
    TouchedRows &
      PrefetchGroups & {
        cursors: { name: string; cursor: number };
        ranges: { start: number; last: number | null; end: number };
      }
  >(catalog, {
    cursors: { sql: "SELECT name, change_id AS cursor FROM log_position", values: [] },
    ranges: { sql: `${NEXT_TABLES} SELECT start, last, ${LAST} AS "end" FROM part`, values },
    latest: { sql: NEXT_TABLES + LATEST, values },
    before: { sql: NEXT_TABLES + beforeSql(NEXT_RANGE), values },
    ...prefetchStatements({ tables: NEXT_TABLES, isEarlier: isEarlierSql(NEXT_RANGE) }, values),
  });
  const { start, last, end } = ranges[0] ?? { start: 0, last: null, end: 0 };
  return {
    ...touchedOf({ latest, before }, records),
    cursors: new Map(cursors.map(({ name, cursor }) => [name, cursor])),
    start,
    end,
    range: last === null ? undefined : { from: start, to: last },
    prefetch: areFullyRead(prefetch) ? prefetch : undefined,
    naming: Math.max(latest.length, naming.length) > PREFETCH_RECORDS_MAX ? undefined : naming,
  };
}

/** Counts the records whose latest revision is newer than a change. One statement. */
export async function countTouched(catalog: Database, after: number): Promise<number> {
  const sql = "SELECT count(*) AS count FROM record WHERE change_id > ?1";
  return (await firstValue<number>(catalog, { sql, values: [after] })) ?? 0;
}

const LAST = "(SELECT coalesce(max(id), 0) FROM change)";

/** Reads the position of a projection in the log of changes, 0 if it has never run, and the end of the log. */
export async function readProgress(
  database: Database,
  projection: string,
): Promise<{ readonly cursor: number; readonly end: number }> {
  const sql = `SELECT coalesce((SELECT change_id FROM log_position WHERE name = ?1), 0) AS cursor, ${LAST} AS end`;
  const row = await firstRow<{ cursor: number; end: number }>(database, { sql, values: [projection] });
  return row ?? { cursor: 0, end: 0 };
}

/** Moves a cursor forward, never back: consumers may run twice and concurrently. */
export function advance(database: Database, projection: string, change: number): Promise<void> {
  return advanceAll(database, [[projection, change]]);
}

export async function advanceAll(
  database: Database,
  cursors: readonly (readonly [projection: string, change: number])[],
): Promise<void> {
  if (cursors.length > 0) await run(database, advanceStatement(cursors));
}

/** Column of the row's own position, and those of projections that usually move with it: D1 charges for each row. */
const POSITIONS = ["change_id", "patron_works", "list_merges"];

/**
 * Returns the statement that moves positions forward, at least one: those of `patron-works` and `list-merges` in the row
 * of the first other projection. The view `log_position` reads them by name.
 */
export function advanceStatement(
  cursors: readonly (readonly [projection: string, change: number])[],
): Statement {
  const others = ["patron-works", "list-merges"];
  const [first, ...more] = cursors.toSorted(([a], [b]) => others.indexOf(a) - others.indexOf(b));
  const moved = new Map(more);
  const beside = others.map((name) => moved.get(name) ?? 0);
  const list = more.filter(([name]) => !others.includes(name)).map((cursor) => cursor.concat(0, 0));
  const sql = `INSERT INTO projection (name, ${POSITIONS.join(", ")})
    SELECT e.value->>0, ${POSITIONS.map((_column, at) => `CAST(e.value->>${at + 1} AS BIGINT)`).join(", ")}
    FROM json_each(?1) e WHERE true
    ON CONFLICT (name) DO UPDATE SET
      ${POSITIONS.map((column) => `${column} = max(projection.${column}, excluded.${column})`).join(", ")}
    WHERE ${POSITIONS.map((column) => `excluded.${column} > projection.${column}`).join(" OR ")}`;
  return { sql, values: [JSON.stringify([[...(first ?? []), ...beside], ...list])] };
}

const LAST_TIME = "(SELECT created FROM change ORDER BY id DESC LIMIT 1)";

const NEXT_TIME = "(SELECT created FROM change WHERE id > change_id ORDER BY id LIMIT 1)";

interface ProgressRow {
  readonly name: string;
  readonly cursor: number;
  readonly since: string | null;
  readonly end: number;
  readonly endTime: string | null;
}

/**
 * Reads the positions of all projections by name, the times of the changes after them, and the newest change with its
 * time. Times are naive UTC, and null if there is no change.
 */
export async function readAllProgress(database: Database): Promise<{
  readonly cursors: ReadonlyMap<string, number>;
  readonly since: ReadonlyMap<string, string | null>;
  readonly end: number;
  readonly endTime: string | null;
}> {
  const sql = `SELECT name, change_id AS cursor, ${NEXT_TIME} AS since, ${LAST} AS end, ${LAST_TIME} AS "endTime"
    FROM log_position ORDER BY name`;
  const results = await rows<ProgressRow>(database, { sql, values: [] });
  const [{ end, endTime } = { end: 0, endTime: null }] = results;
  return {
    cursors: new Map(results.map(({ name, cursor }) => [name, cursor])),
    since: new Map(results.map(({ name, since }) => [name, since])),
    end,
    endTime,
  };
}

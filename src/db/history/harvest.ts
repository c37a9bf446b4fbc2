import { idRangeOf } from "../../catalog/key-numbers.ts";
import { LIST_SEEDS_MAX } from "../../catalog/lists/seeds.ts";
import { SEED_TARGET, isWorkOfSeries } from "../lists/read-lists.ts";
import { type Database, type Statement, batchGroups, firstRow, rows } from "../statement.ts";

/** Edition or work, or its deleted or redirected record, and the change that it is as of. */
export interface HarvestedRow {
  readonly id: number;
  readonly key: string;
  readonly type: string;
  readonly change: number;
  /** Time of that change, naive UTC. */
  readonly changed: string;
  /** JSON of the member `languages`; null without it. */
  readonly languages: string | null;
  /** Position from which its list continues, in the form that the list's statement takes. */
  readonly place: readonly number[];
}

/** Period of a harvest: changes made from a time on, and before another one. Naive UTC. */
export interface HarvestSpan {
  readonly from: string;
  readonly before: string;
  /** Time from which on changes are ignored, along with all changes after them in the log. */
  readonly settled: string;
}

/** Number of changes searched for the first one: changes with the same time are in the log in any order. */
const UNORDERED_CHANGES = 10_000;
const LOG_CHANGES = 20_000;
const NO_CHANGE = Number.MAX_SAFE_INTEGER;

const BOOKS = { from: idRangeOf("M").from, to: idRangeOf("W").to };
const HEAD = `r.id, r.key, r.type, c.id AS change, c.created AS changed, r.document->'$.languages' AS languages`;
const IN_SPAN = "c.created >= ?1 AND c.created < ?2";

// The log is in commit order, but times are those of requests: `low` and `high` are where the period starts and ends in
// the log.
const BOUNDS = `
  SELECT max(CAST(?4 AS BIGINT), coalesce((SELECT min(id) FROM (
      SELECT id FROM change INDEXED BY change_by_created WHERE created >= ?1
      ORDER BY created, id LIMIT ${UNORDERED_CHANGES})), ${NO_CHANGE})) AS low,
    min(coalesce((SELECT max(id) FROM (
        SELECT id FROM change INDEXED BY change_by_created WHERE created < ?2
        ORDER BY created DESC, id DESC LIMIT ${UNORDERED_CHANGES})), 0),
      coalesce((SELECT min(id) FROM change INDEXED BY change_by_created WHERE created >= ?3), ${NO_CHANGE}) - 1) AS high`;

const LOG = `
  WITH bounds AS MATERIALIZED (${BOUNDS})
  SELECT ${HEAD}
  FROM change c CROSS JOIN record r INDEXED BY record_by_change ON r.change_id = c.id
    AND r.id >= CAST(?6 AS BIGINT) AND r.id < CAST(?7 AS BIGINT)
  WHERE c.id >= (SELECT low FROM bounds) AND c.id <= (SELECT min(high, low + ${LOG_CHANGES}) FROM bounds)
    AND (c.id > CAST(?4 AS BIGINT) OR r.id > CAST(?5 AS BIGINT)) AND ${IN_SPAN}
  ORDER BY c.id, r.id LIMIT ?8`;

/** Request for a part of a list: the rows after a position, which is empty at the start. */
interface HarvestPart {
  readonly span: HarvestSpan;
  readonly place: readonly number[];
  readonly limit: number;
}

/** Part of a list, and the position to continue from; undefined at the end. */
export interface Harvested {
  readonly rows: readonly HarvestedRow[];
  readonly next: readonly number[] | undefined;
}

/** Reads records in the order of the log. A record that changes moves to its end, so none is missed. One round trip. */
export async function readHarvestPart(
  database: Database,
  { span, place: [change = 0, id = 0], limit }: HarvestPart,
  kind: "M" | "W" | undefined,
): Promise<Harvested> {
  const times = [span.from, span.before, span.settled];
  const { from, to } = kind === undefined ? BOOKS : idRangeOf(kind);
  const { bounds, records } = await batchGroups<{
    bounds: { low: number; high: number };
    records: Head;
  }>(database, {
    bounds: { sql: BOUNDS, values: [...times, change] },
    records: { sql: LOG, values: [...times, change, id, from, to, limit] },
  });
  const [{ low, high } = { low: 0, high: 0 }] = bounds;
  const all = records.map((row) => toPlacedSql(row, [row.change, row.id]));
  if (all.length === limit) return { rows: all, next: all.at(-1)?.place };
  return { rows: all, next: low + LOG_CHANGES < high ? [low + LOG_CHANGES + 1] : undefined };
}

type Head = Omit<HarvestedRow, "place">;

function toPlacedSql(row: Head, place: readonly number[]): HarvestedRow {
  return Object.assign(row, { place });
}

const LANGUAGE = `
  SELECT ${HEAD}, l.work_id AS work
  FROM edition_language l CROSS JOIN record r ON r.id = l.edition_id CROSS JOIN change c ON c.id = r.change_id
  WHERE l.language = ?3 AND (l.work_id, l.edition_id) > (CAST(?4 AS BIGINT), CAST(?5 AS BIGINT)) AND ${IN_SPAN}
  ORDER BY l.work_id, l.edition_id LIMIT ?6`;

/**
 * Reads the editions in a language, by work. An edition that moves in the meantime counts as changed. One statement.
 */
export async function readLanguagePart(
  database: Database,
  { span, place: [work = -1, edition = 0], limit }: HarvestPart,
  language: string,
): Promise<Harvested> {
  const values = [span.from, endOfSpan(span), language, work, edition, limit];
  const editions = await rows<Head & { work: number }>(database, { sql: LANGUAGE, values });
  return toPart(
    editions.map((row) => toPlacedSql(row, [row.work, row.id])),
    limit,
  );
}

const LIST = `
  SELECT ${HEAD} FROM (
    SELECT m.id FROM record l, json_each(l.document, '$.seeds') e CROSS JOIN record m ON m.key = ${SEED_TARGET}
    WHERE l.key = ?3 AND l.type = '/type/list' AND e.key < ${LIST_SEEDS_MAX}
    UNION SELECT p.record_id AS id FROM property p WHERE ${isWorkOfSeries("?3")}) s
  CROSS JOIN record r ON r.id = s.id CROSS JOIN change c ON c.id = r.change_id
  WHERE s.id > CAST(?4 AS BIGINT) AND s.id >= ${BOOKS.from} AND s.id < ${BOOKS.to} AND ${IN_SPAN}
  ORDER BY s.id LIMIT ?5`;

/**
 * Reads the editions and works of a list or series, by number, including deleted ones that it still refers to. One
 * statement.
 */
export async function readListPart(
  database: Database,
  { span, place: [id = 0], limit }: HarvestPart,
  key: string,
): Promise<Harvested> {
  return readByNumber(database, { sql: LIST, values: [span.from, endOfSpan(span), key, id, limit], limit });
}

const BY_KEY = `
  SELECT ${HEAD} FROM json_each(?3) e CROSS JOIN record r ON r.key = e.value CROSS JOIN change c ON c.id = r.change_id
  WHERE ${IN_SPAN} ORDER BY r.id`;

/** Reads one record. Returns undefined if there is none. One statement. */
export async function readHarvestedRow(database: Database, id: number): Promise<HarvestedRow | undefined> {
  const sql = `SELECT ${HEAD} FROM record r JOIN change c ON c.id = r.change_id WHERE r.id = ?1`;
  const row = await firstRow<Head>(database, { sql, values: [id] });
  return row && toPlacedSql(row, [id]);
}

/** Reads the given records that changed within the period, by number. One statement. */
export async function readHarvestOf(
  database: Database,
  keys: readonly string[],
  span: HarvestSpan,
): Promise<readonly HarvestedRow[]> {
  const values = [span.from, endOfSpan(span), JSON.stringify(keys)];
  return (await readByNumber(database, { sql: BY_KEY, values, limit: Number.POSITIVE_INFINITY })).rows;
}

async function readByNumber(
  database: Database,
  { limit, ...statement }: Statement & { limit: number },
): Promise<Harvested> {
  const records = await rows<Head>(database, statement);
  return toPart(
    records.map((row) => toPlacedSql(row, [row.id])),
    limit,
  );
}

function toPart(records: readonly HarvestedRow[], limit: number): Harvested {
  return { rows: records, next: records.length < limit ? undefined : records.at(-1)?.place };
}

function endOfSpan({ before, settled }: HarvestSpan): string {
  return before < settled ? before : settled;
}

/** Returns the time of the first change, naive UTC; undefined in an empty catalog. One statement. */
export async function readFirstChange(database: Database): Promise<string | undefined> {
  const sql = "SELECT created FROM change ORDER BY created, id LIMIT 1";
  return (await firstRow<{ created: string }>(database, { sql, values: [] }))?.created;
}

interface NamedList {
  readonly id: number;
  readonly key: string;
  readonly name: string | null;
}

function namesOfTypeSql(type: string): string {
  return `SELECT * FROM (SELECT id, key, document->'$.name' AS name FROM record INDEXED BY record_by_type
    WHERE type = '${type}' AND id > CAST(?1 AS BIGINT) ORDER BY id LIMIT ?2)`;
}

const NAMES = `${namesOfTypeSql("/type/list")} UNION ALL ${namesOfTypeSql("/type/series")} ORDER BY 1 LIMIT ?2`;

/** Reads lists and series by number, after one of them. One statement. */
export function readListNames(database: Database, after: number, limit: number): Promise<NamedList[]> {
  return rows(database, { sql: NAMES, values: [after, limit] });
}

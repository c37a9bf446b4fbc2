import { latestRecordOf, parseDocument, toReadView } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import {
  type RecordRow,
  bytesBefore,
  documentWithin,
  fitting,
  fittingRecords,
} from "../records/record-rows.ts";
import { type Database, batchGroups, firstRow, firstValue, rows, run } from "../statement.ts";

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

const TOUCHED = `
  WITH touched AS (
    SELECT id FROM record WHERE change_id > ?1 AND change_id <= ?2 AND id > ?3
    UNION
    SELECT record_id FROM revision WHERE change_id > ?1 AND change_id <= ?2 AND record_id > ?3
    ORDER BY 1 LIMIT ?4)`;
const LATEST = `${TOUCHED} ${fittingRecords({ source: "SELECT id FROM touched", order: "id" })}`;
/** SQL of the newest revision before the range, which the index may show, and of those made in the range. */
const BEFORE = `${TOUCHED}
  SELECT v.record_id AS id, ${documentWithin("f.before", "v.document")}
  FROM (SELECT v.record_id, v.revision, ${bytesBefore("octet_length(v.document)", "v.record_id, v.revision")} AS before
        FROM touched t JOIN revision v ON v.record_id = t.id
        WHERE (v.change_id > ?1 AND v.change_id <= ?2)
           OR v.revision = (SELECT max(o.revision) FROM revision o WHERE o.record_id = t.id AND o.change_id <= ?1)) f
  JOIN revision v ON v.record_id = f.record_id AND v.revision = f.revision
  ORDER BY v.record_id, v.revision`;

/**
 * Reads records with revisions made in a part of the log, after an id, in order of id, as far as they fit into memory.
 * Q497: of a record whose revisions do not fit together, the first ones are read. One round trip.
 */
export async function readTouched(
  catalog: Database,
  { from, to }: LogRange,
  { after, limit }: { after: number; limit: number },
): Promise<{ readonly touched: readonly Touched[]; readonly isLast: boolean }> {
  const values = [from, to, after, limit];
  const { latest, before } = await batchGroups<{
    latest: RecordRow;
    before: { id: number; document: string };
  }>(catalog, { latest: { sql: LATEST, values }, before: { sql: BEFORE, values } });
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
  const sql = `SELECT coalesce((SELECT change_id FROM projection WHERE name = ?1), 0) AS cursor, ${LAST} AS end`;
  const row = await firstRow<{ cursor: number; end: number }>(database, { sql, values: [projection] });
  return row ?? { cursor: 0, end: 0 };
}

/** Moves a cursor forward, never back: consumers may run twice and concurrently. */
export async function advance(database: Database, projection: string, change: number): Promise<void> {
  const sql = `INSERT INTO projection (name, change_id) VALUES (?1, ?2)
    ON CONFLICT (name) DO UPDATE SET change_id = excluded.change_id
    WHERE excluded.change_id > projection.change_id`;
  await run(database, { sql, values: [projection, change] });
}

const LAST_TIME = "(SELECT created FROM change ORDER BY id DESC LIMIT 1)";

/**
 * Reads the positions of all projections by name, and the newest change with its time (naive UTC, null if there is
 * none).
 */
export async function readAllProgress(database: Database): Promise<{
  readonly cursors: ReadonlyMap<string, number>;
  readonly end: number;
  readonly endTime: string | null;
}> {
  const sql = `SELECT name, change_id AS cursor, ${LAST} AS end, ${LAST_TIME} AS "endTime" FROM projection ORDER BY name`;
  const results = await rows<{ name: string; cursor: number; end: number; endTime: string | null }>(
    database,
    {
      sql,
      values: [],
    },
  );
  const [{ end, endTime } = { end: 0, endTime: null }] = results;
  return { cursors: new Map(results.map(({ name, cursor }) => [name, cursor])), end, endTime };
}

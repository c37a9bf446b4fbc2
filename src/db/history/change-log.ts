import type { RecordColumns } from "../records/record-rows.ts";
import { firstValue, rows, type Database } from "../statement.ts";
import type { ChangeRow } from "./changes.ts";

export interface LoggedChange extends ChangeRow {
  readonly documents: readonly LoggedDocument[];
}

/** New revision and the one before it, as stored JSON text. */
type LoggedDocument = Pick<RecordColumns, "key" | "revision" | "document"> & {
  readonly before: string | null;
};

/** Part of the log: half-open period, and number of its changes to skip at the start. */
interface LogPart {
  readonly begin: string;
  readonly end: string;
  readonly offset: number;
  readonly limit: number;
}

const CHANGES = `
  SELECT c.*, (SELECT count(*) FROM record r WHERE r.change_id = c.id) +
              (SELECT count(*) FROM revision v WHERE v.change_id = c.id) AS size
  FROM change c WHERE c.created >= ?1 AND c.created < ?2 ORDER BY c.id LIMIT ?3 OFFSET ?4`;

const BYTES = `
  SELECT made.id, sum(made.bytes) AS bytes
  FROM (SELECT r.change_id AS id, octet_length(r.document) AS bytes
        FROM json_each(?1) c JOIN record r ON r.change_id = CAST(c.value AS BIGINT)
        UNION ALL
        SELECT v.change_id, octet_length(v.document)
        FROM json_each(?1) c JOIN revision v ON v.change_id = CAST(c.value AS BIGINT)) made
  GROUP BY made.id`;

const DOCUMENTS = `
  SELECT made.change_id AS changeId, made.key, made.revision, made.document, p.document AS before
  FROM (SELECT r.id, r.key, r.revision, r.change_id, r.document
        FROM json_each(?1) c JOIN record r ON r.change_id = CAST(c.value AS BIGINT)
        UNION ALL
        SELECT r.id, r.key, v.revision, v.change_id, v.document
        FROM json_each(?1) c JOIN revision v ON v.change_id = CAST(c.value AS BIGINT) JOIN record r ON r.id = v.record_id) made
  LEFT JOIN revision p ON p.record_id = made.id AND p.revision = made.revision - 1
  ORDER BY made.change_id, made.id, made.revision`;

/** Reads changes in order, with their documents, within the limits, but always one whole change. Three statements. */
export async function readLog(
  database: Database,
  part: LogPart,
  bounds: { documents: number; bytes: number },
): Promise<LoggedChange[]> {
  const { begin, end, limit, offset } = part;
  const values = [begin, end, limit, offset];
  const page = await rows<ChangeRow & { size: number }>(database, { sql: CHANGES, values });
  const few = takeFitting(page, ({ size }) => size, bounds.documents);
  const sizes = await rows<{ id: number; bytes: number }>(database, { sql: BYTES, values: [idsOf(few)] });
  const bytes = new Map(sizes.map((row) => [row.id, row.bytes]));
  const changes = takeFitting(few, ({ id }) => bytes.get(id) ?? 0, bounds.bytes);
  const documents = await rows<LoggedDocument & { changeId: number }>(database, {
    sql: DOCUMENTS,
    values: [idsOf(changes)],
  });
  const byChange = Map.groupBy(documents, ({ changeId }) => changeId);
  return changes.map((change) => Object.assign(change, { documents: byChange.get(change.id) ?? [] }));
}

function takeFitting<Change>(
  changes: readonly Change[],
  sizeOf: (change: Change) => number,
  most: number,
): Change[] {
  let total = 0;
  return changes.filter((change, index) => (total += sizeOf(change)) <= most || index === 0);
}

function idsOf(changes: readonly ChangeRow[]): string {
  return JSON.stringify(changes.map(({ id }) => id));
}

/** Counts the changes from `begin` up to and including `end`. */
export async function countChangesUpTo(
  database: Database,
  { begin, end }: Pick<LogPart, "begin" | "end">,
): Promise<number> {
  const sql = "SELECT count(*) AS count FROM change WHERE created >= ?1 AND created <= ?2";
  return (await firstValue<number>(database, { sql, values: [begin, end] })) ?? 0;
}

import { takeFitting, utf8Length } from "../../catalog/bytes.ts";
import type { RecordColumns } from "../records/record-rows.ts";
import { firstValue, rows, type Database } from "../statement.ts";
import type { ChangeRow } from "./changes.ts";

export interface LoggedChange extends ChangeRow {
  readonly documents: readonly LoggedDocument[];
}

/** Change whose entry is too large to be made at once, with the keys and numbers of its revisions. */
export interface LargeChange extends ChangeRow {
  readonly saved: readonly SavedRevision[];
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

// An entry has each new document twice, and the one before it once.
const BYTES = `
  SELECT made.id, sum(2 * made.bytes + coalesce(octet_length(p.document), 0)) AS bytes
  FROM (SELECT r.change_id AS id, r.id AS record, r.revision, octet_length(r.document) AS bytes
        FROM json_each(?1) c JOIN record r ON r.change_id = CAST(c.value AS BIGINT)
        UNION ALL
        SELECT v.change_id, v.record_id, v.revision, octet_length(v.document)
        FROM json_each(?1) c JOIN revision v ON v.change_id = CAST(c.value AS BIGINT)) made
  LEFT JOIN revision p ON p.record_id = made.record AND p.revision = made.revision - 1
  GROUP BY made.id`;
/** Bytes of an entry beside documents, comment and data; and of keys and numbers of each of its records, twice. */
const ENTRY_BYTES = 1000;
const RECORD_BYTES = 250;

const DOCUMENTS = `
  SELECT made.change_id AS changeId, made.key, made.revision, made.document, p.document AS before
  FROM (SELECT r.id, r.key, r.revision, r.change_id, r.document
        FROM json_each(?1) c JOIN record r ON r.change_id = CAST(c.value AS BIGINT)
        UNION ALL
        SELECT r.id, r.key, v.revision, v.change_id, v.document
        FROM json_each(?1) c JOIN revision v ON v.change_id = CAST(c.value AS BIGINT) JOIN record r ON r.id = v.record_id) made
  LEFT JOIN revision p ON p.record_id = made.id AND p.revision = made.revision - 1
  ORDER BY made.change_id, made.id, made.revision`;

/**
 * Reads changes in order, with their documents, within the limits. The bytes are those of entries as written. A change
 * whose entry is larger comes alone, without documents. Three statements.
 */
export async function readLog(
  database: Database,
  part: LogPart,
  bounds: { documents: number; bytes: number },
): Promise<LoggedChange[] | LargeChange> {
  const { begin, end, limit, offset } = part;
  const values = [begin, end, limit, offset];
  const page = await rows<ChangeRow & { size: number }>(database, { sql: CHANGES, values });
  const { taken: few } = await takeFitting(page, ({ size }) => size, bounds.documents);
  const sizes = await rows<{ id: number; bytes: number }>(database, { sql: BYTES, values: [idsOf(few)] });
  const bytes = new Map(sizes.map((row) => [row.id, row.bytes]));
  const bytesOf = ({ id, size, comment, data }: (typeof few)[number]) => {
    const texts = 2 * utf8Length(JSON.stringify(comment)) + utf8Length(data);
    return ENTRY_BYTES + texts + RECORD_BYTES * size + (bytes.get(id) ?? 0);
  };
  const { taken: changes } = await takeFitting(few, bytesOf, bounds.bytes);
  const [first] = changes;
  if (first !== undefined && bytesOf(first) > bounds.bytes) {
    return { ...first, saved: await rows(database, { sql: SAVED, values: [first.id] }) };
  }
  const documents = await rows<LoggedDocument & { changeId: number }>(database, {
    sql: DOCUMENTS,
    values: [idsOf(changes)],
  });
  const byChange = Map.groupBy(documents, ({ changeId }) => changeId);
  return changes.map((change) => Object.assign(change, { documents: byChange.get(change.id) ?? [] }));
}

export type SavedRevision = Pick<RecordColumns, "key" | "revision">;

/** SQL of the keys and numbers of the revisions of a change. */
const SAVED = `SELECT key, revision FROM (
    SELECT r.id, r.key, r.revision FROM record r WHERE r.change_id = ?1
    UNION ALL
    SELECT r.id, r.key, v.revision FROM revision v JOIN record r ON r.id = v.record_id WHERE v.change_id = ?1) made
  ORDER BY id, revision`;

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

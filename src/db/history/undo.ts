import { parseDocument } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { type Database, batchGroups, rows } from "../statement.ts";
import type { ChangeRow } from "./rows.ts";

/** Maximum bytes of the documents that one undo restores. */
const UNDO_BYTES = 16 * 1024 * 1024;

/** Record written by a change. */
export interface ChangedRecord {
  readonly key: string;
  /** Revision made by the change; `latest` is the latest one. */
  readonly revision: number;
  readonly latest: number;
  /** Document before the change; undefined if there was none, or it is no longer known. */
  readonly before: CatalogRecord | undefined;
}

/** Change with the data needed to undo it. */
export interface Undoing {
  readonly change: ChangeRow;
  /** Id of the change that undid it. */
  readonly undoneBy: number | undefined;
  readonly records: readonly ChangedRecord[];
  /** False if the documents exceed `UNDO_BYTES`; `records` is then empty. */
  readonly isComplete: boolean;
}

interface UndoRow {
  key: string;
  revision: number;
  latest: number | null;
  document: string | null;
}

const CHANGED = `FROM change c CROSS JOIN json_each(c.changes) e LEFT JOIN record r ON r.key = e.value->>'key'
  LEFT JOIN revision v ON v.record_id = r.id AND v.revision = CAST(e.value->>'revision' AS BIGINT) - 1 WHERE c.id = ?1`;
const BYTES = `SELECT coalesce(sum(octet_length(v.document)), 0) AS bytes ${CHANGED}`;
const RECORDS = `SELECT e.value->>'key' AS key, CAST(e.value->>'revision' AS BIGINT) AS revision, r.revision AS latest, v.document
  ${CHANGED} AND (${BYTES}) <= ${UNDO_BYTES} ORDER BY e.key`;

const UNDONE = `SELECT c.id FROM change_data d JOIN change c ON c.id = d.change_id
  WHERE d.name = 'parent_changeset' AND d.value = ?1 AND c.kind = 'undo' LIMIT 1`;

/** Reads a change with the revisions before it. Returns undefined if there is no such change. One round trip. */
export async function readUndoing(database: Database, id: number): Promise<Undoing | undefined> {
  const values = [id];
  const found = await batchGroups<{
    change: ChangeRow;
    undone: { id: number };
    bytes: { bytes: number };
    records: UndoRow;
  }>(database, {
    change: { sql: "SELECT * FROM change WHERE id = ?1", values },
    undone: { sql: UNDONE, values: [String(id)] },
    bytes: { sql: BYTES, values },
    records: { sql: RECORDS, values },
  });
  const [change] = found.change;
  if (change === undefined) return undefined;
  return {
    change,
    undoneBy: found.undone[0]?.id,
    records: found.records.map(changedRecord),
    isComplete: (found.bytes[0]?.bytes ?? 0) <= UNDO_BYTES,
  };
}

function changedRecord({ key, revision, latest, document }: UndoRow): ChangedRecord {
  const before = document === null ? undefined : parseDocument(document);
  return { key, revision, latest: latest ?? 0, before };
}

/** Deleted record with its last revision before the deletion. */
export interface DeletedRecord {
  readonly key: string;
  /** Latest revision, which is the deletion. */
  readonly latest: number;
  readonly alive: CatalogRecord;
}

/** Reads the records of the keys that are deleted and had another type before. One statement. */
export async function readDeleted(database: Database, keys: readonly string[]): Promise<DeletedRecord[]> {
  if (keys.length === 0) return [];
  const found = await rows<{ key: string; latest: number; document: string }>(database, {
    // CROSS JOIN keeps the table order; otherwise all deleted records of the catalog would be scanned.
    sql: `SELECT r.key, r.revision AS latest, v.document FROM json_each(?1) e
          CROSS JOIN record r ON r.key = e.value AND r.type = '/type/delete'
          CROSS JOIN revision v ON v.record_id = r.id AND v.revision = (
            SELECT max(o.revision) FROM revision o WHERE o.record_id = r.id
              AND coalesce(o.document->>'$.type.key', o.document->>'$.type')
                NOT IN ('/type/delete', '/type/redirect'))`,
    values: [JSON.stringify(keys)],
  });
  return found.map(({ key, latest, document }) => ({ key, latest, alive: parseDocument(document) }));
}

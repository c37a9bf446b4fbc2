import { MIB } from "../../catalog/units.ts";
import { parseDocument } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { batchGroups, rows, allValues, type Database } from "../statement.ts";
import type { ChangeRow } from "./changes.ts";

/** Maximum bytes of the documents that one undo restores. */
const UNDO_BYTES = 8 * MIB;

export interface ChangedRecord {
  readonly key: string;
  readonly revision: number;
  readonly latest: number;
  /** Document before the change; undefined if there was none, or it is no longer known. */
  readonly before: CatalogRecord | undefined;
}

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
  const groups = await batchGroups<{
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
  const [change] = groups.change;
  if (change === undefined) return undefined;
  return {
    change,
    undoneBy: groups.undone[0]?.id,
    records: groups.records.map(toChangedRecord),
    isComplete: (groups.bytes[0]?.bytes ?? 0) <= UNDO_BYTES,
  };
}

function toChangedRecord({ key, revision, latest, document }: UndoRow): ChangedRecord {
  const before = document === null ? undefined : parseDocument(document);
  return { key, revision, latest: latest ?? 0, before };
}

export interface DeletedRecord {
  readonly key: string;
  readonly latest: number;
  readonly alive: CatalogRecord;
}

/** Reads the records of the keys that are deleted and had another type before. One statement. */
export async function readDeleted(database: Database, keys: readonly string[]): Promise<DeletedRecord[]> {
  if (keys.length === 0) return [];
  const records = await rows<{ key: string; latest: number; document: string }>(database, {
    // CROSS JOIN keeps the table order; otherwise all deleted records of the catalog would be scanned.
    sql: `SELECT r.key, r.revision AS latest, v.document FROM json_each(?1) e
          CROSS JOIN record r ON r.key = e.value AND r.type = '/type/delete'
          CROSS JOIN revision v ON v.record_id = r.id AND v.revision = (
            SELECT max(o.revision) FROM revision o WHERE o.record_id = r.id
              AND coalesce(o.document->>'$.type.key', o.document->>'$.type')
                NOT IN ('/type/delete', '/type/redirect'))`,
    values: [JSON.stringify(keys)],
  });
  return records.map(({ key, latest, document }) => ({ key, latest, alive: parseDocument(document) }));
}

export interface EditsToRevert {
  /** `/people/<username>` */
  readonly author: string;
  /** Ids of the changes. Defaults to all except the one that created the account. */
  readonly changes?: readonly number[];
}

/** Record whose latest revision comes from these changes. */
export interface RevertedRecord {
  readonly id: number;
  readonly key: string;
  readonly revision: number;
  /** Last revision that is not from these changes; null if all known ones are. */
  readonly target: number | null;
  /** First known revision, used if `target` is null. */
  readonly first: number;
  readonly bytes: number;
}

// ?1 author, ?2 ids as JSON or NULL
const WRONG = `wrong AS MATERIALIZED (
    SELECT id, changes FROM change WHERE author = ?1 AND changes IS NOT NULL
      AND CASE WHEN CAST(?2 AS TEXT) IS NULL THEN kind <> 'new-account'
        ELSE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?2)) END),
  touched AS (SELECT DISTINCT e.value->>'key' AS key FROM wrong, json_each(wrong.changes) e)`;

function editValuesOf({ author, changes }: EditsToRevert): [string, string | null] {
  return [author, changes === undefined ? null : JSON.stringify(changes)];
}

/**
 * Reads the records that can be reverted, because they have not been edited since, by id after `after`. One statement.
 */
export function readEdited(
  database: Database,
  edits: EditsToRevert,
  { after, limit }: { after: number; limit: number },
): Promise<RevertedRecord[]> {
  return rows<RevertedRecord>(database, {
    sql: `WITH ${WRONG}, edited AS (
            SELECT r.id, r.key, r.revision,
              (SELECT max(v.revision) FROM revision v
               WHERE v.record_id = r.id AND v.change_id NOT IN (SELECT id FROM wrong)) AS target
            FROM touched t JOIN record r ON r.key = t.key
            WHERE r.change_id IN (SELECT id FROM wrong) AND r.id > ?3
              -- What was made and deleted by them is as it was before.
              AND NOT (r.type = '/type/delete' AND NOT EXISTS (
                SELECT 1 FROM revision v
                WHERE v.record_id = r.id AND v.change_id NOT IN (SELECT id FROM wrong)))
            ORDER BY r.id LIMIT ?4)
          SELECT e.id, e.key, e.revision, e.target,
            coalesce((SELECT min(v.revision) FROM revision v WHERE v.record_id = e.id), e.revision) AS first,
            coalesce((SELECT octet_length(v.document) FROM revision v
                      WHERE v.record_id = e.id AND v.revision = e.target), 0) AS bytes
          FROM edited e ORDER BY e.id`,
    values: [...editValuesOf(edits), after, limit],
  });
}

/** Reads documents of older revisions, by key. One statement. */
export async function readEarlierDocuments(
  database: Database,
  records: readonly RevertedRecord[],
): Promise<ReadonlyMap<string, CatalogRecord>> {
  const targets = await rows<{ key: string; document: string }>(database, {
    sql: `SELECT e.value->>1 AS key, v.document FROM json_each(?1) e JOIN revision v
            ON v.record_id = CAST(e.value->>0 AS BIGINT) AND v.revision = CAST(e.value->>2 AS BIGINT)`,
    values: [JSON.stringify(records.map(({ id, key, target }) => [id, key, target]))],
  });
  return new Map(targets.map(({ key, document }) => [key, parseDocument(document)]));
}

/**
 * Reads the keys of records written by these changes and edited since by other changes, except reverts of these
 * changes.
 */
export async function readEditedSince(
  database: Database,
  edits: EditsToRevert,
  limit: number,
): Promise<string[]> {
  const sql = `WITH ${WRONG}
               SELECT r.key FROM touched t JOIN record r ON r.key = t.key
               WHERE r.change_id NOT IN (SELECT id FROM wrong) AND NOT EXISTS (
                 SELECT 1 FROM change_data d WHERE d.change_id = r.change_id AND (
                   (d.name = 'reverted_author' AND d.value = ?1) OR
                   (d.name = 'reverted_changesets' AND d.value IN (SELECT CAST(id AS TEXT) FROM wrong))))
               ORDER BY r.id LIMIT ?3`;
  return allValues<string>(database, { sql, values: [...editValuesOf(edits), limit] });
}

import { parseDocument } from "../../catalog/document.ts";
import type { CatalogRecord } from "../../catalog/record.ts";
import { type Database, allValues, rows } from "../statement.ts";

/** Changes of an author to revert. */
export interface EditsToRevert {
  /** `/people/<username>` */
  readonly author: string;
  /** Ids of the changes. Defaults to all except the one that created the account. */
  readonly changes?: readonly number[];
}

/** Record whose latest revision comes from these changes. */
export interface EditedRecord {
  readonly id: number;
  readonly key: string;
  /** Latest revision. */
  readonly revision: number;
  /** Last revision that is not from these changes; null if all known ones are. */
  readonly target: number | null;
  /** First known revision, used if `target` is null. */
  readonly first: number;
  /** Bytes of the document of `target`. */
  readonly bytes: number;
}

// ?1 author, ?2 ids as JSON or NULL
const WRONG = `wrong AS MATERIALIZED (
    SELECT id, changes FROM change WHERE author = ?1 AND changes IS NOT NULL
      AND CASE WHEN CAST(?2 AS TEXT) IS NULL THEN kind <> 'new-account'
        ELSE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?2)) END),
  touched AS (SELECT DISTINCT e.value->>'key' AS key FROM wrong, json_each(wrong.changes) e)`;

function about({ author, changes }: EditsToRevert): [string, string | null] {
  return [author, changes === undefined ? null : JSON.stringify(changes)];
}

/**
 * Reads the records that can be reverted, because they have not been edited since, by id after `after`. One statement.
 */
export function readEdited(
  database: Database,
  edits: EditsToRevert,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<EditedRecord[]> {
  return rows<EditedRecord>(database, {
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
    values: [...about(edits), after, limit],
  });
}

/** Reads documents of older revisions, by key. One statement. */
export async function readTargets(
  database: Database,
  records: readonly EditedRecord[],
): Promise<ReadonlyMap<string, CatalogRecord>> {
  const found = await rows<{ key: string; document: string }>(database, {
    sql: `SELECT e.value->>1 AS key, v.document FROM json_each(?1) e JOIN revision v
            ON v.record_id = CAST(e.value->>0 AS BIGINT) AND v.revision = CAST(e.value->>2 AS BIGINT)`,
    values: [JSON.stringify(records.map(({ id, key, target }) => [id, key, target]))],
  });
  return new Map(found.map(({ key, document }) => [key, parseDocument(document)]));
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
  return allValues<string>(database, { sql, values: [...about(edits), limit] });
}

import { type Database, rows } from "../statement.ts";
import { dumpedKey, isLoad, newestBefore } from "./conditions.ts";
import type { ReadBounds } from "./read-newest.ts";

/** A revision that was superseded. */
export interface SupersededRow {
  readonly key: string;
  readonly type: null;
  readonly revision: number;
  readonly lastModified: string;
  readonly document: string;
}

/** Records whose superseded revisions are read: those after `key`, and of that one the revisions after `revision`. */
export interface SupersededRange {
  readonly key: string;
  readonly revision: number;
  /** The last key. */
  readonly to: string;
  readonly upTo: number;
}

const SUPERSEDED = `
  WITH part AS MATERIALIZED (
    SELECT r.id, r.key, o.revision, octet_length(o.document) AS bytes
    FROM record r CROSS JOIN revision o ON o.record_id = r.id
    WHERE r.key >= ?1 AND r.key <= ?3 AND ${dumpedKey("r.key")} AND (r.key > ?1 OR o.revision > ?2)
      AND (o.change_id <= ?4 OR ${isLoad("o.change_id")}) AND o.revision < ${newestBefore("?4")}
    ORDER BY r.key, o.revision LIMIT ?5
  ), sized AS MATERIALIZED (
    SELECT id, key, revision, sum(bytes) OVER (ORDER BY key, revision ROWS UNBOUNDED PRECEDING) - bytes AS before
    FROM part
  )
  SELECT s.key, NULL AS type, s.revision, o.last_modified AS lastModified, o.document
  FROM sized s JOIN revision o ON o.record_id = s.id AND o.revision = s.revision
  WHERE s.before < ?6 ORDER BY s.key, s.revision`;

/**
 * Superseded revisions in a range of keys, by key and revision, as of the change `upTo` ; what a load has corrected of
 * them since is as it is now (Q424). One statement.
 */
export async function readSuperseded(
  catalog: Database,
  { key, revision, to, upTo }: SupersededRange,
  { records, bytes }: ReadBounds,
): Promise<SupersededRow[]> {
  const values = [key, revision, to, upTo, records, bytes];
  return rows<SupersededRow>(catalog, { sql: SUPERSEDED, values });
}

import { type Database, rows } from "../statement.ts";
import type { ReadBounds } from "./read-newest.ts";

/** A revision of the log, and its place there. */
export interface ChangedRow {
  readonly change: number;
  readonly id: number;
  readonly key: string;
  readonly type: string | null;
  readonly revision: number;
  readonly lastModified: string;
  readonly document: string;
}

/** Part of the log: revisions after a place, up to the change `upTo`. */
export interface ChangedRange {
  readonly change: number;
  readonly id: number;
  readonly revision: number;
  readonly upTo: number;
}

const CHANGED = `
  WITH part AS MATERIALIZED (
    SELECT * FROM (
      SELECT r.change_id AS change, r.id, r.revision, octet_length(r.document) AS bytes
      FROM record r INDEXED BY record_by_change
      WHERE r.change_id >= ?1 AND r.change_id <= ?4 AND (r.change_id, r.id, r.revision) > (?1, ?2, ?3)
      ORDER BY r.change_id, r.id LIMIT ?5)
    UNION ALL
    SELECT * FROM (
      SELECT o.change_id, o.record_id, o.revision, octet_length(o.document)
      FROM revision o INDEXED BY revision_by_change
      WHERE o.change_id >= ?1 AND o.change_id <= ?4 AND (o.change_id, o.record_id, o.revision) > (?1, ?2, ?3)
      ORDER BY o.change_id, o.record_id, o.revision LIMIT ?5)
    ORDER BY 1, 2, 3 LIMIT ?5
  ), sized AS MATERIALIZED (
    SELECT change, id, revision,
      sum(bytes) OVER (ORDER BY change, id, revision ROWS UNBOUNDED PRECEDING) - bytes AS before
    FROM part
  )
  SELECT s.change, s.id, r.key, n.type, s.revision, coalesce(n.last_modified, o.last_modified) AS lastModified,
    coalesce(n.document, o.document) AS document
  FROM sized s JOIN record r ON r.id = s.id
    LEFT JOIN record n ON n.id = s.id AND n.revision = s.revision
    LEFT JOIN revision o ON o.record_id = s.id AND o.revision = s.revision
  WHERE s.before < ?6 ORDER BY s.change, s.id, s.revision`;

/**
 * Revisions in the order of the log, those of one change by record. A revision stays where it is when another one supersedes
 * it meanwhile; what a load corrects is the later change's. One statement.
 */
export async function readChanged(
  catalog: Database,
  { change, id, revision, upTo }: ChangedRange,
  { records, bytes }: ReadBounds,
): Promise<ChangedRow[]> {
  return rows<ChangedRow>(catalog, { sql: CHANGED, values: [change, id, revision, upTo, records, bytes] });
}

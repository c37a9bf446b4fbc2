import { REDIRECT_HOPS_MAX } from "../../catalog/record.ts";
import { type Database, rows } from "../statement.ts";

/** Keys by which scans are looked up: keys of works, keys of editions, or ids of scans. */
export type ScannedBy = "work" | "edition" | "ocaid";

/** Edition with a scan, and the position of its key in the requested list. */
export interface ScannedRow {
  readonly position: number;
  readonly edition: string;
  readonly ocaid: string;
  readonly isbn: string | null;
  readonly oclc: string | null;
  /** Key of its first work, a redirect followed. */
  readonly work: string | null;
}

/** Scans of one work that are read, the first by number; and scans per statement, shared equally by the works. */
const WORK_SCANS_MAX = 500;
const SCANNED_ROWS_MAX = 10_000;

/** Requested records and the targets of their redirects. */
const TARGETS = `
  target(position, key, hops) AS (
    SELECT key, value COLLATE BINARY, 0 FROM json_each(?1)
    UNION ALL
    SELECT t.position, r.document->>'$.location', t.hops + 1 FROM target t JOIN record r ON r.key = t.key
    WHERE r.type = '/type/redirect' AND t.hops < ${REDIRECT_HOPS_MAX})`;

/** CROSS JOIN keeps the order of the tables: otherwise SQLite would read all editions of the catalog. */
const FOUND: Readonly<Record<ScannedBy, string>> = {
  work: `${TARGETS},
  found AS (
    SELECT t.position, p.record_id AS id,
           row_number() OVER (PARTITION BY t.position ORDER BY p.record_id) AS place
    FROM target t CROSS JOIN property p ON p.name = 'works' AND p.value = t.key
    CROSS JOIN record r ON r.id = p.record_id AND r.type = '/type/edition' AND r.document->>'$.ocaid' <> '')`,
  edition: `${TARGETS},
  found AS (SELECT t.position, r.id, 1 AS place FROM target t JOIN record r ON r.key = t.key)`,
  // Finds the edition of a scan like lookups: by its own id, otherwise by the source record of the item.
  ocaid: `
  found AS (
    SELECT a.key AS position, a.value AS ocaid, 1 AS place, coalesce(
      (SELECT edition_id FROM identifier WHERE kind = 'ocaid' AND value = a.value ORDER BY edition_id LIMIT 1),
      (SELECT edition_id FROM identifier WHERE kind = 'source' AND value = 'ia:' || a.value
       ORDER BY edition_id LIMIT 1)) AS id
    FROM json_each(?1) a)`,
};

/**
 * Reads the scanned editions of works, editions or scans (`values`: keys or scan ids), in the order of the list and
 * then by number. Follows redirects. A scan without an edition has no row. The more works, the fewer scans of each are
 * read, but at least the first. One statement.
 */
export function readScanned(
  database: Database,
  by: ScannedBy,
  values: readonly string[],
): Promise<ScannedRow[]> {
  const share = Math.max(1, Math.min(WORK_SCANS_MAX, Math.floor(SCANNED_ROWS_MAX / values.length)));
  const ocaid = by === "ocaid" ? "f.ocaid" : "e.document->>'$.ocaid'";
  const sql = `WITH RECURSIVE ${FOUND[by]}
           SELECT f.position, e.key AS edition, ${ocaid} AS ocaid,
                  coalesce(e.document->>'$.isbn_13[0]', e.document->>'$.isbn_10[0]') AS isbn,
                  e.document->>'$.oclc_numbers[0]' AS oclc,
                  coalesce(w.document->>'$.location', w.key) AS work
           FROM found f
           CROSS JOIN record e ON e.id = f.id AND e.type = '/type/edition'
           LEFT JOIN record w ON w.key = e.document->>'$.works[0].key'
           WHERE f.place <= ?2 AND (${ocaid}) <> ''
           ORDER BY f.position, e.id LIMIT ?3`;
  return rows<ScannedRow>(database, { sql, values: [JSON.stringify(values), share, SCANNED_ROWS_MAX] });
}

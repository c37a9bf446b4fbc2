import type { ItemMetadata } from "../../catalog/ebook-access.ts";
import { VOLUME_SCANS_MAX } from "../../catalog/lookup/volumes.ts";
import { type Json, stringsOf } from "../../catalog/record.ts";
import type { Database } from "../statement.ts";
import type { RecordRow } from "./read-record.ts";
import { fittingRecords, wholeRows } from "./whole-documents.ts";

/** A scanned edition and the work it was asked for by. */
export interface ScanRow extends RecordRow {
  readonly work: string;
  /** What the holdings say of the scan: JSON array, and 1 or 0; null when they do not have it. */
  readonly collections: string | null;
  readonly restricted: number | null;
}

/** CROSS JOIN keeps the order of the tables: by name alone there would be all editions to look at. */
const SCANS = fittingRecords({
  source: `SELECT work, id FROM (
    SELECT w.value AS work, r.id, row_number() OVER (PARTITION BY w.value ORDER BY r.id) AS position
    FROM json_each(?1) w
    CROSS JOIN property p ON p.name = 'works' AND p.value = w.value
    CROSS JOIN record r ON r.id = p.record_id AND r.type = '/type/edition'
    WHERE r.document->>'$.ocaid' <> '') WHERE position <= ?2`,
  order: "id",
  more: ["work"],
});

/**
 * The editions with a scan of several works, at most 500 of each, by key, and the holdings of the scans. One statement.
 * Throws `DocumentsTooLarge`.
 */
export function readScans(database: Database, works: readonly string[]): Promise<ScanRow[]> {
  if (works.length === 0) return Promise.resolve([]);
  return wholeRows<ScanRow>(database, {
    sql: `SELECT f.*, i.collections, i.access_restricted AS restricted
          FROM (${SCANS}) f LEFT JOIN item i ON i.ocaid = f.document->>'$.ocaid' ORDER BY f.id`,
    values: [JSON.stringify([...new Set(works)]), VOLUME_SCANS_MAX],
  });
}

/** What the holdings say of a scan; undefined when they do not have it. */
export function itemOfScan({ collections, restricted }: ScanRow): ItemMetadata | undefined {
  if (collections === null) return undefined;
  // The column holds JSON.
  return { collections: stringsOf(JSON.parse(collections) as Json), accessRestricted: restricted === 1 };
}

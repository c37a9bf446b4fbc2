import { idRange } from "../../catalog/key-numbers.ts";
import { type Database, rows } from "../statement.ts";

/** Kinds of records that works and editions refer to, and whose names their documents show. */
export type Shown = "author" | "series";

/** Work, by its index number, whose record or edition refers to a key. */
export interface Naming {
  readonly key: string;
  /** Record with the reference; the cursor of a walk. */
  readonly recordId: number;
  readonly workId: number;
}

interface NamingOptions {
  readonly shown: Shown;
  readonly keys: readonly string[];
  readonly after: number;
  /** Newest change to include. Later changes are still to be followed, which rebuilds their works anyway. */
  readonly upTo: number;
  readonly limit: number;
}

/** `property` paths of the references in works and editions, as SQL. */
const PATHS: Readonly<Record<Shown, string>> = {
  author: "'authors', 'authors.author'",
  series: "'series.series'",
};
const WORKS = idRange("W");
const EDITIONS = idRange("M");

/** Returns SQL with a fixed join order (CROSS JOIN): from the keys to the records that refer to them. */
function namingSql(shown: Shown): string {
  return `
    WITH naming AS (
      SELECT DISTINCT p.value AS key, r.id
      FROM json_each(?1) k
      CROSS JOIN property p ON p.name IN (${PATHS[shown]}) AND p.value = k.value AND p.record_id > ?2
        AND p.record_id >= ${EDITIONS.from} AND p.record_id < ${WORKS.to}
      CROSS JOIN record r ON r.id = p.record_id AND r.change_id <= ?3
      ORDER BY p.value, r.id LIMIT ?4)
    SELECT n.key, n.id AS recordId, CASE WHEN n.id >= ${WORKS.from} THEN n.id - ${WORKS.from} 
             ELSE coalesce(w.id - ${WORKS.from}, ${EDITIONS.from} - n.id) END AS workId
    FROM naming n LEFT JOIN record e ON e.id = n.id AND n.id < ${WORKS.from}
    LEFT JOIN record w ON w.key = e.document->>'$.works[0].key'
    ORDER BY n.key, n.id`;
}

/**
 * Reads works whose records or editions refer to some keys, by key and then by record. One statement. A full page may
 * be cut off anywhere: its last key may be incomplete, and further keys are missing.
 */
export function readNaming(
  catalog: Database,
  { shown, keys, after, upTo, limit }: NamingOptions,
): Promise<Naming[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return rows<Naming>(catalog, { sql: namingSql(shown), values: [JSON.stringify(keys), after, upTo, limit] });
}

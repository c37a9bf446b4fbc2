import { idRange } from "../../catalog/key-numbers.ts";
import { type Database, rows } from "../statement.ts";

/** What works and editions name: their documents show its name. */
export type Shown = "author" | "series";

/** A work by its number in the index, found because its record, or one of its editions, names a key. */
export interface Naming {
  /** Key of the author or series. */
  readonly key: string;
  /** Record that names it: what a walk goes by. */
  readonly recordId: number;
  /** Works to be built anew, by number in the index. */
  readonly workId: number;
}

interface NamingOptions {
  readonly shown: Shown;
  readonly keys: readonly string[];
  readonly after: number;
  /** Newest change of the records: later ones are yet to be followed, and are then built anyway. */
  readonly upTo: number;
  readonly limit: number;
}

/** Paths of `property` under which works and editions name them, as SQL. */
const PATHS: Readonly<Record<Shown, string>> = {
  author: "'authors', 'authors.author'",
  series: "'series.series'",
};
const WORKS = idRange("W");
const EDITIONS = idRange("M");

/** CROSS JOIN keeps the order of the tables: from the keys to what names them. */
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
 * Works whose records or editions name some keys, by key and then by record. One statement. A full answer may have
 * broken off anywhere: then all but the first keys are incomplete.
 */
export function readNaming(
  catalog: Database,
  { shown, keys, after, upTo, limit }: NamingOptions,
): Promise<Naming[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return rows<Naming>(catalog, { sql: namingSql(shown), values: [JSON.stringify(keys), after, upTo, limit] });
}

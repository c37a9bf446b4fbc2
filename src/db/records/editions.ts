import { idRange } from "../../catalog/key-numbers.ts";
import { type Database, allValues, rows } from "../statement.ts";

/**
 * Counts the editions of works or authors (those that editions refer to directly), by key. Keys without editions are
 * absent. One statement or none.
 */
export async function countEditions(
  database: Database,
  keys: readonly string[],
  member: "works" | "authors" = "works",
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const { from, to } = idRange("M");
  // CROSS JOIN keeps the table order; otherwise all editions of the catalog would be scanned.
  const sql = `SELECT p.value AS key, count(*) AS size FROM json_each(?1) w
               CROSS JOIN property p ON p.name = ?4 AND p.value = w.value AND p.record_id >= ?2 AND p.record_id < ?3
               GROUP BY p.value`;
  const values = [JSON.stringify([...new Set(keys)]), from, to, member];
  const found = await rows<{ key: string; size: number }>(database, { sql, values });
  return new Map(found.map(({ key, size }) => [key, size]));
}

/** Reads the keys of a work's editions, at most `limit`, in ascending order of number. One indexed read. */
export async function readEditionKeys(database: Database, work: string, limit: number): Promise<string[]> {
  const { from, to } = idRange("M");
  const sql = `SELECT r.key FROM property p JOIN record r ON r.id = p.record_id
               WHERE p.name = 'works' AND p.value = ?1 AND p.record_id >= ?2 AND p.record_id < ?3
               ORDER BY p.record_id LIMIT ?4`;
  return allValues<string>(database, { sql, values: [work, from, to, limit] });
}

/** Randomly chosen edition. */
interface RandomEdition {
  readonly key: string;
  /** Id of its scan; null if it has none. */
  readonly ocaid: string | null;
}

const NEXT = `
  SELECT id FROM record WHERE id >= b.low + CAST(floor(CAST(p.value AS DOUBLE PRECISION) * (b.high - b.low)) AS BIGINT) AND id < ?3
    AND type = '/type/edition' ORDER BY id LIMIT 1`;

/**
 * Reads the editions that follow some positions between the first edition and the last. `places` are fractions from 0
 * to 1. The result may contain duplicates, and is empty without editions. One statement with one lookup per position.
 */
export function editionsAt(database: Database, places: readonly number[]): Promise<RandomEdition[]> {
  const { from, to } = idRange("M");
  const sql = `SELECT r.key, nullif(r.document->>'$.ocaid', '') AS ocaid
               FROM (SELECT (SELECT min(id) FROM record WHERE id >= ?2 AND id < ?3) AS low,
                            (SELECT max(id) FROM record WHERE id >= ?2 AND id < ?3) AS high) b
               CROSS JOIN json_each(?1) p JOIN record r ON r.id = (${NEXT})
               ORDER BY p.key`;
  return rows<RandomEdition>(database, { sql, values: [JSON.stringify(places), from, to] });
}

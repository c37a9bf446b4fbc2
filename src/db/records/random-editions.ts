import { idRange } from "../../catalog/record-id.ts";
import { type Database, rows } from "../statement.ts";

/** An edition that chance has found. */
export interface RandomEdition {
  readonly key: string;
  /** Id of its scan; null when it has none. */
  readonly ocaid: string | null;
}

const NEXT = `
  SELECT id FROM record WHERE id >= b.low + cast(p.value * (b.high - b.low) AS INTEGER) AND id < ?3
    AND type = '/type/edition' ORDER BY id LIMIT 1`;

/**
 * The editions that come next after some places between the first edition and the last; `places` are fractions from 0 to
 * 1. Some may be the same; none without editions. One statement, which looks up as many rows as there are places.
 */
export function editionsAt(database: Database, places: readonly number[]): Promise<RandomEdition[]> {
  const { from, to } = idRange("M");
  return rows<RandomEdition>(database, {
    sql: `SELECT r.key, nullif(r.document->>'$.ocaid', '') AS ocaid
          FROM (SELECT (SELECT min(id) FROM record WHERE id >= ?2 AND id < ?3) AS low,
                       (SELECT max(id) FROM record WHERE id >= ?2 AND id < ?3) AS high) b
          JOIN json_each(?1) p JOIN record r ON r.id = (${NEXT})
          ORDER BY p.key`,
    values: [JSON.stringify(places), from, to],
  });
}

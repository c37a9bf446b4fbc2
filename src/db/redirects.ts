import { idRangeOf } from "../catalog/key-numbers.ts";
import { REDIRECT_HOPS_MAX } from "../catalog/record.ts";
import { type Database, allValues, rows } from "./statement.ts";

/** SQL of a recursive table of the keys in `?1` and the keys that they redirect to, by position and number of hops. */
export const TARGETS = `
  target(position, key, hops) AS (
    SELECT key, value COLLATE BINARY, 0 FROM json_each(?1)
    UNION ALL
    SELECT t.position, r.document->>'$.location', t.hops + 1 FROM target t JOIN record r ON r.key = t.key
    WHERE r.type = '/type/redirect' AND t.hops < ${REDIRECT_HOPS_MAX})`;

const LIVE_TARGETS = `
  WITH RECURSIVE ${TARGETS}
  SELECT t.position, r.key FROM target t JOIN record r ON r.key = t.key
  WHERE t.hops > 0 AND r.type NOT IN ('/type/redirect', '/type/delete')`;

/**
 * Reads the keys of the records that merged records have become, by key. Keys of live, deleted and unknown records are
 * absent, and so are redirects that lead to no live record. One statement; none without keys.
 */
export async function readTargets(
  database: Database,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const distinct = [...new Set(keys)];
  const statement = { sql: LIVE_TARGETS, values: [JSON.stringify(distinct)] };
  const targets = await rows<{ position: number; key: string }>(database, statement);
  return new Map(targets.map(({ position, key }) => [distinct[position] ?? key, key]));
}

/** Reads the key of the record that a merged record has become; undefined for all others. One statement. */
export async function readTarget(database: Database, key: string): Promise<string | undefined> {
  return (await readTargets(database, [key])).get(key);
}

/**
 * Returns SQL of the key that a key redirects to, which may be that of a deleted or missing record, or the key itself.
 * `key` is an SQL expression.
 */
export function targetKeySql(key: string): string {
  // Most keys are no redirects, and the check is cheaper than the recursion.
  return `(SELECT CASE
    WHEN EXISTS (SELECT 1 FROM record x WHERE x.key = o.k AND x.type = '/type/redirect') THEN coalesce((
      WITH RECURSIVE target(location, hops) AS (
        SELECT x.document->>'$.location', 1 FROM record x WHERE x.key = o.k
        UNION ALL
        SELECT x.document->>'$.location', t.hops + 1 FROM target t JOIN record x ON x.key = t.location
        WHERE x.type = '/type/redirect' AND t.hops < ${REDIRECT_HOPS_MAX})
      SELECT location FROM target ORDER BY hops DESC LIMIT 1), o.k)
    ELSE o.k END FROM (SELECT ${key} AS k) o)`;
}

/** Projection of the lists that hold merged records: its cursor is behind the merges that they do not follow yet. */
export const LIST_MERGES = "list-merges";

interface Redirect {
  readonly key: string;
  /** Naive UTC time of the change. */
  readonly modified: string;
  readonly change: number;
  /** User who made the change; null for the service. */
  readonly author: string | null;
  /** 1 if a bulk load stored it. */
  readonly isLoaded: 0 | 1;
}

/** Reads the numbers of the first works that are redirects. One statement. */
export function readMergedWorks(catalog: Database, limit: number): Promise<number[]> {
  const { from, to } = idRangeOf("W");
  const sql = `SELECT id - ?1 AS work FROM record WHERE type = '/type/redirect' AND id >= ?1 AND id < ?2
               ORDER BY id LIMIT ?3`;
  return allValues<number>(catalog, { sql, values: [from, to, limit] });
}

/** Reads redirects whose latest revision was made by a part of the log, in its order. One statement. */
export function readRedirects(
  catalog: Database,
  { from, to }: { from: number; to: number },
): Promise<Redirect[]> {
  const sql = `SELECT r.key, r.last_modified AS modified, c.id AS change, c.author,
                 CASE WHEN c.changes IS NULL THEN 1 ELSE 0 END AS "isLoaded"
               FROM record r JOIN change c ON c.id = r.change_id
               WHERE r.change_id > ?1 AND r.change_id <= ?2 AND r.type = '/type/redirect' ORDER BY c.id, r.id`;
  return rows<Redirect>(catalog, { sql, values: [from, to] });
}

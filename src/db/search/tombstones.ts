import { type Database, prepare } from "../statement.ts";
import type { Generation } from "./generation.ts";

/** Tombstones that one call removes. */
export const TOMBSTONES_MAX = 5000;

/** Removes tombstones that were seen before an ISO time; true while there may be more. */
export async function dropTombstones(
  search: Database,
  generation: Generation,
  before: string,
): Promise<boolean> {
  const sql = `DELETE FROM tombstone_${generation} WHERE key IN (
    SELECT key FROM tombstone_${generation} WHERE seen < ?1 ORDER BY seen LIMIT ?2)`;
  const { meta } = await prepare(search, { sql, values: [before, TOMBSTONES_MAX] }).run();
  return meta.changes >= TOMBSTONES_MAX;
}

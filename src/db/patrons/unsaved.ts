import { type Database, firstValue, rows, run } from "../statement.ts";

/**
 * Records that the object of a patron (username in lower case) has changed since it was last read for a backup. Versions
 * ascend, also from those of another service of which this one was restored: they begin at `now`, in milliseconds.
 */
export async function markUnsaved(patrons: Database, patron: string, now: number): Promise<void> {
  const sql = `INSERT INTO unsaved_patron (patron, version)
    SELECT ?1, max(?2, coalesce((SELECT max(version) FROM unsaved_patron), 0) + 1) WHERE true
    ON CONFLICT (patron) DO UPDATE SET version = excluded.version`;
  await run(patrons, { sql, values: [patron, now] });
}

/** Returns the highest version; 0 if no object has changed. */
export async function readUnsavedVersion(patrons: Database): Promise<number> {
  const sql = "SELECT coalesce(max(version), 0) FROM unsaved_patron";
  return (await firstValue<number>(patrons, { sql, values: [] })) ?? 0;
}

/** Returns when accounts were removed (milliseconds since the epoch), of those among some hashes of usernames. */
export function readRemovedAt(
  patrons: Database,
  hashes: readonly string[],
): Promise<{ hash: string; time: number }[]> {
  const sql = `SELECT r.username_hash AS hash, r.removed AS time
    FROM json_each(?1) e CROSS JOIN removed_account r ON r.username_hash = e.value`;
  return rows(patrons, { sql, values: [JSON.stringify(hashes)] });
}

/** Lists patrons whose objects changed after a version, in order of their versions. */
export function readUnsaved(
  patrons: Database,
  { after, limit }: { after: number; limit: number },
): Promise<{ patron: string; version: number }[]> {
  const sql = "SELECT patron, version FROM unsaved_patron WHERE version > ?1 ORDER BY version LIMIT ?2";
  return rows(patrons, { sql, values: [after, limit] });
}

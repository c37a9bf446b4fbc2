import { type Database, firstRow, rows, run } from "../statement.ts";

/** Name of the row with the progress of following a source service, as JSON text. */
const POSITION = "follow";
/** Prefix of rows for records with conflicts; the key follows. */
const CONFLICT = "follow /";

/** Reads the stored position. Returns undefined if nothing has been followed yet. One statement. */
export async function readPosition(catalog: Database): Promise<string | undefined> {
  const sql = "SELECT value FROM service_state WHERE name = ?1";
  return (await firstRow<{ value: string }>(catalog, { sql, values: [POSITION] }))?.value;
}

/**
 * Stores a position in place of the one that was read (undefined: none). Returns false, and stores nothing, if another
 * process was faster. One statement.
 */
export async function storePosition(
  catalog: Database,
  { before, value, now }: { before: string | undefined; value: string; now: string },
): Promise<boolean> {
  const sql =
    before === undefined
      ? `INSERT INTO service_state (name, value, changed) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO NOTHING RETURNING name`
      : `UPDATE service_state SET value = ?2, changed = ?3 WHERE name = ?1 AND value = ?4 RETURNING name`;
  const values = [POSITION, value, now, ...(before === undefined ? [] : [before])];
  return (await firstRow(catalog, { sql, values })) !== undefined;
}

/** Record that changed at the source and keeps the edits made here. */
interface ConflictingRecord {
  readonly key: string;
  readonly there: number;
  /** Time of the last such change, naive UTC. */
  readonly seen: string;
}

/** Stores records with conflicts. One statement. */
export async function recordConflicts(
  catalog: Database,
  conflicts: readonly Pick<ConflictingRecord, "key" | "there">[],
  now: string,
): Promise<void> {
  if (conflicts.length === 0) return;
  const newest = new Map(conflicts.map(({ key, there }) => [key, there]));
  const values = [
    JSON.stringify([...newest].map(([key, there]) => [CONFLICT.slice(0, -1) + key, String(there)])),
    now,
  ];
  const sql = `INSERT INTO service_state (name, value, changed)
    SELECT value->>0, value->>1, CAST(?2 AS TEXT) FROM json_each(?1) WHERE TRUE
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed = excluded.changed`;
  await run(catalog, { sql, values });
}

/** Reads records with conflicts whose latest revision is still an edit, after a key, in order of key. One statement. */
export async function readConflicts(
  catalog: Database,
  after: string,
  limit: number,
): Promise<ConflictingRecord[]> {
  const sql = `SELECT s.name, s.value, s.changed FROM service_state s
    JOIN record r ON r.key = substr(s.name, ${CONFLICT.length}) JOIN change c ON c.id = r.change_id
    WHERE s.name > ?1 AND s.name < ?2 AND c.changes IS NOT NULL ORDER BY s.name LIMIT ?3`;
  const values = [CONFLICT.slice(0, -1) + after, "follow 0", limit];
  const conflicts = await rows<{ name: string; value: string; changed: string }>(catalog, { sql, values });
  return conflicts.map(({ name, value, changed }) => ({
    key: name.slice(CONFLICT.length - 1),
    there: Number(value),
    seen: changed,
  }));
}

export async function findExistingKeys(catalog: Database, keys: readonly string[]): Promise<Set<string>> {
  const sql = "SELECT r.key FROM json_each(?1) e JOIN record r ON r.key = e.value";
  const existing = await rows<{ key: string }>(catalog, { sql, values: [JSON.stringify(keys)] });
  return new Set(existing.map(({ key }) => key));
}

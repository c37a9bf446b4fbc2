import { type Database, prepare, rows } from "../statement.ts";

/** An import that is under way. */
export interface ImportJob {
  /** Username in lower case. */
  readonly patron: string;
  readonly id: string;
}

/** Notes that a patron's import is under way, and when it counts as left alone (milliseconds since the epoch). */
export async function noteImport(patrons: Database, { patron, id }: ImportJob, due: number): Promise<void> {
  const sql = "INSERT OR REPLACE INTO import_job (username_folded, id, due) VALUES (?1, ?2, ?3)";
  await prepare(patrons, { sql, values: [patron, id, due] }).run();
}

/** Notes that somebody is at an import, and when it counts as left alone; nothing when another one has taken its place. */
export async function touchImport(patrons: Database, { patron, id }: ImportJob, due: number): Promise<void> {
  const sql = "UPDATE import_job SET due = ?3 WHERE username_folded = ?1 AND id = ?2";
  await prepare(patrons, { sql, values: [patron, id, due] }).run();
}

/** Imports that were left alone, those for longest first. */
export function dueImports(patrons: Database, now: number, limit: number): Promise<ImportJob[]> {
  const sql = "SELECT username_folded AS patron, id FROM import_job WHERE due <= ?1 ORDER BY due LIMIT ?2";
  return rows<ImportJob>(patrons, { sql, values: [now, limit] });
}

/** Forgets an import that is done, unless another one has taken its place. */
export async function endImport(patrons: Database, { patron, id }: ImportJob): Promise<void> {
  const sql = "DELETE FROM import_job WHERE username_folded = ?1 AND id = ?2";
  await prepare(patrons, { sql, values: [patron, id] }).run();
}

/** Gives out numbers of check-ins that will be this patron's. One statement. */
export async function newCheckInIds(patrons: Database, patron: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const found = await rows<{ id: number }>(patrons, {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
          INSERT INTO check_in_id (patron) SELECT ?1 FROM n RETURNING id`,
    values: [patron, count],
  });
  return found.map(({ id }) => id);
}

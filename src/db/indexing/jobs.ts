import { type Database, firstValue, overList, rows, run } from "../statement.ts";

/** Work that outlives a message, done a page at a time. */
export interface IndexJob {
  /** What is to be done; see src/worker/indexing/run.ts. */
  readonly kind: string;
  readonly key: string;
  /** Where the work goes on. */
  readonly position: number;
  /** When it may begin, naive UTC. */
  readonly due: string;
  /** The change that asked for it last. */
  readonly change: number;
}

const COLUMNS = "kind, key, position, due, change_id AS change";
/** The job is still the one that was read: nobody has moved it or asked for it again. */
const UNCHANGED = "kind = ?1 AND key = ?2 AND position = ?3 AND due = ?4 AND change_id = ?5";

/** How a statement of `runOver` takes its jobs. */
const GIVEN = "SELECT e.value->>0, e.value->>1, e.value->>2, e.value->>3, e.value->>4 FROM json_each(?1) e";

async function runOver(search: Database, jobs: readonly IndexJob[], sql: string): Promise<void> {
  const list = jobs.map(({ kind, key, position, due, change }) => [kind, key, position, due, change]);
  for (const statement of overList(list, sql)) await run(search, statement);
}

/** Stores jobs. One that waits already begins anew, at its new time. */
export async function putJobs(search: Database, jobs: readonly IndexJob[]): Promise<void> {
  const sql = `INSERT INTO index_job (kind, key, position, due, change_id) ${GIVEN} WHERE true
               ON CONFLICT (kind, key) DO UPDATE SET position = excluded.position, due = excluded.due,
                 change_id = max(change_id, excluded.change_id)`;
  await runOver(search, jobs, sql);
}

/** Stores jobs that are not there yet; those that wait are left as they are. */
export async function addJobs(search: Database, jobs: readonly IndexJob[]): Promise<void> {
  await runOver(
    search,
    jobs,
    `INSERT OR IGNORE INTO index_job (kind, key, position, due, change_id) ${GIVEN}`,
  );
}

/** Jobs that may begin, longest due first. */
export function dueJobs(search: Database, now: string, limit: number): Promise<IndexJob[]> {
  const sql = `SELECT ${COLUMNS} FROM index_job WHERE due <= ?1 ORDER BY due, kind, key LIMIT ?2`;
  return rows<IndexJob>(search, { sql, values: [now, limit] });
}

/** How many jobs may begin. */
export async function countDueJobs(search: Database, now: string): Promise<number> {
  const sql = "SELECT count(*) AS count FROM index_job WHERE due <= ?1";
  return (await firstValue<number>(search, { sql, values: [now] })) ?? 0;
}

/** Moves a job on, or puts it off, unless somebody has asked for it again. */
export async function moveJob(
  search: Database,
  job: IndexJob,
  { position, due }: Pick<IndexJob, "position" | "due">,
): Promise<void> {
  const sql = `UPDATE index_job SET position = ?6, due = ?7 WHERE ${UNCHANGED}`;
  const values = [job.kind, job.key, job.position, job.due, job.change, position, due];
  await run(search, { sql, values });
}

/** Removes jobs that are done, but for those that somebody has asked for again. */
export async function dropJobs(search: Database, jobs: readonly IndexJob[]): Promise<void> {
  const sql = `DELETE FROM index_job WHERE (kind, key, position, due, change_id) IN (${GIVEN})`;
  await runOver(search, jobs, sql);
}

import type { IndexNotes } from "./index-state.ts";
import type { EngineName } from "../../search/engine.ts";
import { type Statement, firstValue, overList, run } from "../statement.ts";

/** Job that outlives a message and runs page by page. */
export interface IndexJob {
  /** Kind of work; see src/worker/indexing/run.ts. */
  readonly kind: string;
  readonly key: string;
  readonly position: number;
  /** Earliest start, naive UTC. */
  readonly due: string;
  readonly change: number;
}

const TABLES: Readonly<Record<EngineName, string>> = { embedded: "index_job", solr: "index_job_solr" };
const COLUMNS = "kind, key, position, due, change_id AS change";
/** SQL condition that the job is unchanged since it was read: neither moved nor requested again. */
const UNCHANGED = "kind = ?1 AND key = ?2 AND position = ?3 AND due = ?4 AND change_id = ?5";

const GIVEN = "SELECT e.value->>0, e.value->>1, e.value->>2, e.value->>3, e.value->>4 FROM json_each(?1) e";

async function runOver({ database }: IndexNotes, jobs: readonly IndexJob[], sql: string): Promise<void> {
  const list = jobs.map(({ kind, key, position, due, change }) => [kind, key, position, due, change]);
  for (const statement of overList(list, sql)) await run(database, statement);
}

/** Stores jobs. A waiting job restarts at its new time. */
export async function putJobs(notes: IndexNotes, jobs: readonly IndexJob[]): Promise<void> {
  const sql = `INSERT INTO ${TABLES[notes.engine]} (kind, key, position, due, change_id) ${GIVEN} WHERE true
               ON CONFLICT (kind, key) DO UPDATE SET position = excluded.position, due = excluded.due,
                 change_id = max(change_id, excluded.change_id)`;
  await runOver(notes, jobs, sql);
}

/** Stores jobs that do not exist yet; waiting jobs are left unchanged. */
export async function addJobs(notes: IndexNotes, jobs: readonly IndexJob[]): Promise<void> {
  await runOver(
    notes,
    jobs,
    `INSERT OR IGNORE INTO ${TABLES[notes.engine]} (kind, key, position, due, change_id) ${GIVEN}`,
  );
}

/** Returns the statement of jobs that are due at `now`, naive UTC. */
export function dueJobsStatement({ engine }: IndexNotes, now: string, limit: number): Statement {
  const sql = `SELECT ${COLUMNS} FROM ${TABLES[engine]} WHERE due <= ?1 ORDER BY due, kind, key LIMIT ?2`;
  return { sql, values: [now, limit] };
}

/** Counts the jobs that are due at `now`, naive UTC. */
export async function countDueJobs(notes: IndexNotes, now: string): Promise<number> {
  const sql = `SELECT count(*) AS count FROM ${TABLES[notes.engine]} WHERE due <= ?1`;
  return (await firstValue<number>(notes.database, { sql, values: [now] })) ?? 0;
}

/** Moves a job forward or postpones it, unless it was requested again. */
export async function moveJob(
  notes: IndexNotes,
  job: IndexJob,
  { position, due }: Pick<IndexJob, "position" | "due">,
): Promise<void> {
  const sql = `UPDATE ${TABLES[notes.engine]} SET position = ?6, due = ?7 WHERE ${UNCHANGED}`;
  const values = [job.kind, job.key, job.position, job.due, job.change, position, due];
  await run(notes.database, { sql, values });
}

/** Removes finished jobs, except those that were requested again. */
export async function dropJobs(notes: IndexNotes, jobs: readonly IndexJob[]): Promise<void> {
  const sql = `DELETE FROM ${TABLES[notes.engine]} WHERE (kind, key, position, due, change_id) IN (${GIVEN})`;
  await runOver(notes, jobs, sql);
}

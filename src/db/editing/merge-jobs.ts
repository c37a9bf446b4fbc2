import type { MergeKind, MergeOrder } from "../../catalog/editing/merge-rules.ts";
import { type Database, allValues, firstRow, firstValue, run } from "../statement.ts";
import type { SavedRecord } from "./request.ts";

/** Data for the queue of merge requests when a merge is done. */
export interface RequestNote {
  /** Request that the merge fulfils; null if there is none. */
  readonly mrid: string | null;
  /** Numbers of the records, for a request created afterwards. */
  readonly olids: string;
  readonly comment: string | null;
}

/** Row of `merge_job`. `duplicates` and `request` are JSON. */
export interface JobRow {
  readonly id: number;
  readonly kind: MergeKind;
  readonly master: string;
  readonly duplicates: string;
  /** `/people/<username>` */
  readonly author: string;
  readonly ip: string | null;
  readonly request: string;
}

/** Merge that is too large for one change. */
export type MergeJob = Omit<JobRow, "duplicates" | "request"> & MergeOrder & { readonly note: RequestNote };

/** SQL of open jobs. `OPEN_ABOUT` selects those whose master or duplicates are among the keys of `?1`. */
const OPEN = `SELECT id, kind, master, duplicates, author, ip, request FROM merge_job j WHERE j.state = 'open'`;
export const OPEN_ABOUT = `${OPEN} AND (j.master IN (SELECT value FROM json_each(?1)) OR EXISTS (
  SELECT 1 FROM json_each(j.duplicates) d WHERE d.value IN (SELECT value FROM json_each(?1))))`;

export function jobOf({ duplicates, request, ...row }: JobRow): MergeJob {
  // `openJob` wrote both columns as JSON.
  const order = { duplicates: JSON.parse(duplicates) as string[] };
  return { ...row, ...order, note: JSON.parse(request) as RequestNote };
}

/** Returns true if a job is about exactly these records. */
export function isJobOf(job: MergeJob, kind: MergeKind, { master, duplicates }: MergeOrder): boolean {
  return (
    job.kind === kind &&
    job.master === master &&
    JSON.stringify(job.duplicates) === JSON.stringify([...duplicates].sort())
  );
}

/** Returns the open job that has been idle for longest, if it was last touched at `before` or earlier (naive UTC). */
export async function idleJob(database: Database, before: string): Promise<MergeJob | undefined> {
  const sql = `${OPEN} AND j.updated <= ?1 ORDER BY j.updated, j.id LIMIT 1`;
  const row = await firstRow<JobRow>(database, { sql, values: [before] });
  return row && jobOf(row);
}

/** Maximum number of a job's changes whose records are listed in the response: the last ones. */
const JOB_CHANGES_MAX = 100;

/** Returns the records saved by the changes of a job, in order. */
export async function readJobRecords(database: Database, id: number): Promise<SavedRecord[]> {
  const sql = `SELECT c.changes FROM change_data d JOIN change c ON c.id = d.change_id
               WHERE d.name = 'job' AND d.value = ?1 AND c.changes IS NOT NULL
               ORDER BY c.id DESC LIMIT ${JOB_CHANGES_MAX}`;
  const changeLists = await allValues<string>(database, { sql, values: [String(id)] });
  // JSON column written by `entryOf` of a save.
  return changeLists.toReversed().flatMap((changes) => JSON.parse(changes) as SavedRecord[]);
}

/**
 * Creates a job and returns its number. Returns undefined if an open job is about one of its records already. `now` is
 * naive UTC. One statement, so that of two such jobs only one starts.
 */
export async function openJob(
  database: Database,
  { kind, master, duplicates, author, ip, note }: Omit<MergeJob, "id">,
  now: string,
): Promise<number | undefined> {
  return firstValue<number>(database, {
    sql: `INSERT INTO merge_job (kind, master, duplicates, author, ip, request, created, updated)
          SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8
          WHERE NOT EXISTS (${OPEN_ABOUT}) RETURNING id`,
    values: [
      JSON.stringify([master, ...duplicates]),
      kind,
      master,
      JSON.stringify([...duplicates].sort()),
      author,
      ip,
      JSON.stringify(note),
      now,
    ],
  });
}

export async function touchJob(database: Database, id: number, now: string): Promise<void> {
  const sql = "UPDATE merge_job SET updated = ?2 WHERE id = ?1";
  await run(database, { sql, values: [id, now] });
}

/** Ends a job as done, or as failed with a reason. */
export async function endJob(
  database: Database,
  id: number,
  { problem, now }: { problem: string | null; now: string },
): Promise<void> {
  const sql = `UPDATE merge_job SET state = CASE WHEN CAST(?2 AS TEXT) IS NULL THEN 'done' ELSE 'failed' END, problem = ?2, updated = ?3
               WHERE id = ?1 AND state = 'open'`;
  await run(database, { sql, values: [id, problem, now] });
}

import type { MergeKind, MergeOrder } from "../../catalog/editing/merge-rules.ts";
import { type Database, type Statement, firstRow, prepare, rows } from "../statement.ts";
import type { SavedRecord } from "./request.ts";

/** What is told to the queue of merge requests when a merge is done. */
export interface RequestNote {
  /** The request that the merge answers; null when there was none. */
  readonly mrid: string | null;
  /** Numbers of the records, for a request that is made afterwards. */
  readonly olids: string;
  readonly comment: string | null;
}

/** A merge that is too large for one change. */
export interface MergeJob extends MergeOrder {
  readonly id: number;
  readonly kind: MergeKind;
  /** `/people/<username>` */
  readonly author: string;
  readonly ip: string | null;
  readonly note: RequestNote;
}

/** A row of `merge_job`. */
export interface JobRow {
  readonly id: number;
  readonly kind: MergeKind;
  readonly master: string;
  readonly duplicates: string;
  readonly author: string;
  readonly ip: string | null;
  readonly request: string;
}

const COLUMNS = "id, kind, master, duplicates, author, ip, request";
const OPEN = `SELECT ${COLUMNS} FROM merge_job j WHERE j.state = 'open'`;
const ABOUT_KEYS = `(j.master IN (SELECT value FROM json_each(?1)) OR EXISTS (
  SELECT 1 FROM json_each(j.duplicates) d WHERE d.value IN (SELECT value FROM json_each(?1))))`;

/** Reads a row. */
export function jobOf({ duplicates, request, ...row }: JobRow): MergeJob {
  // Both columns are JSON that `openJob` wrote.
  const order = { duplicates: JSON.parse(duplicates) as string[] };
  return { ...row, ...order, note: JSON.parse(request) as RequestNote };
}

/** Rows of open jobs whose master or duplicates are among the keys. */
export function openJobsOf(keys: readonly string[]): Statement {
  return { sql: `${OPEN} AND ${ABOUT_KEYS}`, values: [JSON.stringify(keys)] };
}

/** True when a job is about exactly these records. */
export function isJobOf(job: MergeJob, kind: MergeKind, { master, duplicates }: MergeOrder): boolean {
  return (
    job.kind === kind &&
    job.master === master &&
    JSON.stringify(job.duplicates) === JSON.stringify([...duplicates].sort())
  );
}

/**
 * Begins a job and returns its number; undefined when an open job is about one of its records already. `now` is naive
 * UTC. One statement, so that of two such jobs only one begins.
 */
export async function openJob(
  database: Database,
  { kind, master, duplicates, author, ip, note }: Omit<MergeJob, "id">,
  now: string,
): Promise<number | undefined> {
  const row = await firstRow<{ id: number }>(database, {
    sql: `INSERT INTO merge_job (kind, master, duplicates, author, ip, request, created, updated)
          SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8
          WHERE NOT EXISTS (${OPEN} AND ${ABOUT_KEYS}) RETURNING id`,
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
  return row?.id;
}

/** Notes that somebody is working on a job, so that the sweep leaves it alone. */
export async function touchJob(database: Database, id: number, now: string): Promise<void> {
  const sql = "UPDATE merge_job SET updated = ?2 WHERE id = ?1";
  await prepare(database, { sql, values: [id, now] }).run();
}

/** Ends a job: as done, or as failed for a reason. */
export async function endJob(
  database: Database,
  id: number,
  { problem, now }: { readonly problem: string | null; readonly now: string },
): Promise<void> {
  const sql = `UPDATE merge_job SET state = iif(?2 IS NULL, 'done', 'failed'), problem = ?2, updated = ?3
               WHERE id = ?1 AND state = 'open'`;
  await prepare(database, { sql, values: [id, problem, now] }).run();
}

/** The open job that nobody has worked on for longest, if that is since before `before` (naive UTC). */
export async function idleJob(database: Database, before: string): Promise<MergeJob | undefined> {
  const row = await firstRow<JobRow>(database, {
    sql: `${OPEN} AND j.updated <= ?1 ORDER BY j.updated, j.id LIMIT 1`,
    values: [before],
  });
  return row === undefined ? undefined : jobOf(row);
}

/** Most changes of a job whose records are named in the answer: the last ones. */
const JOB_CHANGES_MAX = 100;

/** The records that the changes of a job saved, in order. */
export async function readJobRecords(database: Database, id: number): Promise<SavedRecord[]> {
  const found = await rows<{ changes: string }>(database, {
    sql: `SELECT c.changes FROM change_data d JOIN change c ON c.id = d.change_id
          WHERE d.name = 'job' AND d.value = ?1 AND c.changes IS NOT NULL
          ORDER BY c.id DESC LIMIT ${JOB_CHANGES_MAX}`,
    values: [String(id)],
  });
  // A column of JSON, written by `entryOf` of a save.
  return found.toReversed().flatMap(({ changes }) => JSON.parse(changes) as SavedRecord[]);
}

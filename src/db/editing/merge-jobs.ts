import type { MergeKind, MergeOrder } from "../../catalog/editing/merge-rules.ts";
import { type Database, allValues, firstRow } from "../statement.ts";
import type { SavedRecord } from "./request.ts";

/** What is told to the queue of merge requests when a merge is done. */
export interface RequestNote {
  /** The request that the merge answers; null when there was none. */
  readonly mrid: string | null;
  /** Numbers of the records, for a request that is made afterwards. */
  readonly olids: string;
  readonly comment: string | null;
}

/** A row of `merge_job`; `duplicates` and `request` are JSON. */
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

/** A merge that is too large for one change. */
export type MergeJob = Omit<JobRow, "duplicates" | "request"> & MergeOrder & { readonly note: RequestNote };

/** Open jobs, and among them those whose master or duplicates are among the keys of `?1`. */
const OPEN = `SELECT id, kind, master, duplicates, author, ip, request FROM merge_job j WHERE j.state = 'open'`;
export const OPEN_ABOUT = `${OPEN} AND (j.master IN (SELECT value FROM json_each(?1)) OR EXISTS (
  SELECT 1 FROM json_each(j.duplicates) d WHERE d.value IN (SELECT value FROM json_each(?1))))`;

/** Reads a row. */
export function jobOf({ duplicates, request, ...row }: JobRow): MergeJob {
  // Both columns are JSON that `openJob` wrote.
  const order = { duplicates: JSON.parse(duplicates) as string[] };
  return { ...row, ...order, note: JSON.parse(request) as RequestNote };
}

/** True when a job is about exactly these records. */
export function isJobOf(job: MergeJob, kind: MergeKind, { master, duplicates }: MergeOrder): boolean {
  return (
    job.kind === kind &&
    job.master === master &&
    JSON.stringify(job.duplicates) === JSON.stringify([...duplicates].sort())
  );
}

/** The open job that nobody has worked on for longest, if that is since before `before` (naive UTC). */
export async function idleJob(database: Database, before: string): Promise<MergeJob | undefined> {
  const sql = `${OPEN} AND j.updated <= ?1 ORDER BY j.updated, j.id LIMIT 1`;
  const row = await firstRow<JobRow>(database, { sql, values: [before] });
  return row && jobOf(row);
}

/** Most changes of a job whose records are named in the answer: the last ones. */
const JOB_CHANGES_MAX = 100;

/** The records that the changes of a job saved, in order. */
export async function readJobRecords(database: Database, id: number): Promise<SavedRecord[]> {
  const sql = `SELECT c.changes FROM change_data d JOIN change c ON c.id = d.change_id
               WHERE d.name = 'job' AND d.value = ?1 AND c.changes IS NOT NULL
               ORDER BY c.id DESC LIMIT ${JOB_CHANGES_MAX}`;
  const found = await allValues<string>(database, { sql, values: [String(id)] });
  // A column of JSON, written by `entryOf` of a save.
  return found.toReversed().flatMap((changes) => JSON.parse(changes) as SavedRecord[]);
}

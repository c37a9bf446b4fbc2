import type { WorkCounts } from "../../search/documents/types.ts";
import { type Database, firstRow, rows } from "../statement.ts";

/** Counts of a work, by the number of its key (1 of `/works/OL1W`). */
export interface CountedWork {
  readonly workId: number;
  readonly counts: WorkCounts;
}

/** Counts with the place of their last change among all changes of counts. */
export interface ChangedCounts extends CountedWork {
  readonly version: number;
}

/** A row of `work_count`. */
export interface CountRow {
  work_id: number;
  ratings_1: number;
  ratings_2: number;
  ratings_3: number;
  ratings_4: number;
  ratings_5: number;
  want_to_read: number;
  currently_reading: number;
  already_read: number;
  stopped_reading: number;
  version: number;
}

/** Counts that changed after a version, in the order of their changes, at most `limit` works. */
export async function readChangedCounts(
  patrons: Database,
  after: number,
  limit: number,
): Promise<ChangedCounts[]> {
  const sql = "SELECT * FROM work_count WHERE version > ?1 ORDER BY version LIMIT ?2";
  return (await rows<CountRow>(patrons, { sql, values: [after, limit] })).map(countedWork);
}

/** Counts of works by the numbers of their keys; works without a row are absent. One statement. */
export async function readWorkCounts(
  patrons: Database,
  workIds: readonly number[],
): Promise<Map<number, WorkCounts>> {
  if (workIds.length === 0) return new Map();
  const sql = "SELECT * FROM work_count WHERE work_id IN (SELECT value FROM json_each(?1))";
  const found = await rows<CountRow>(patrons, { sql, values: [JSON.stringify(workIds)] });
  return new Map(found.map((row) => [row.work_id, countedWork(row).counts]));
}

/** The version of the newest change of counts; 0 when there was none. */
export async function readCountsEnd(patrons: Database): Promise<number> {
  const sql = "SELECT value FROM work_count_version";
  return (await firstRow<{ value: number }>(patrons, { sql, values: [] }))?.value ?? 0;
}

function countedWork(row: CountRow): ChangedCounts {
  return { workId: row.work_id, counts: countsOfRow(row), version: row.version };
}

/** The counts in a row. */
export function countsOfRow(row: CountRow): WorkCounts {
  return {
    ratings: [row.ratings_1, row.ratings_2, row.ratings_3, row.ratings_4, row.ratings_5],
    wantToRead: row.want_to_read,
    currentlyReading: row.currently_reading,
    alreadyRead: row.already_read,
    stoppedReading: row.stopped_reading,
  };
}

import type { WorkCounts } from "../../search/documents/types.ts";
import { type Database, batchRows, firstRow, rows } from "../statement.ts";

/** Counts of a work, by the number of its key (1 of `/works/OL1W`). */
export interface CountedWork {
  readonly workId: number;
  readonly counts: WorkCounts;
}

/** Counts with the place of their last change among all changes of counts. */
export interface ChangedCounts extends CountedWork {
  readonly version: number;
}

interface Row {
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

const SET = `
  INSERT INTO work_count
  SELECT e.value->>0, e.value->>1, e.value->>2, e.value->>3, e.value->>4, e.value->>5, e.value->>6, e.value->>7,
         e.value->>8, e.value->>9, (SELECT value FROM work_count_version) + e.key + 1
  FROM json_each(?1) e WHERE true
  ON CONFLICT (work_id) DO UPDATE SET
    ratings_1 = excluded.ratings_1, ratings_2 = excluded.ratings_2, ratings_3 = excluded.ratings_3,
    ratings_4 = excluded.ratings_4, ratings_5 = excluded.ratings_5, want_to_read = excluded.want_to_read,
    currently_reading = excluded.currently_reading, already_read = excluded.already_read,
    stopped_reading = excluded.stopped_reading, version = excluded.version`;

/** Stores counts of works, whole: each row gets a version above all others. One transaction. */
export async function setWorkCounts(patrons: Database, works: readonly CountedWork[]): Promise<void> {
  if (works.length === 0) return;
  await batchRows(patrons, [
    { sql: SET, values: [JSON.stringify(works.map(valuesOf))] },
    { sql: "UPDATE work_count_version SET value = value + ?1", values: [works.length] },
  ]);
}

/** Counts that changed after a version, in the order of their changes, at most `limit` works. */
export async function readChangedCounts(
  patrons: Database,
  after: number,
  limit: number,
): Promise<ChangedCounts[]> {
  const sql = "SELECT * FROM work_count WHERE version > ?1 ORDER BY version LIMIT ?2";
  return (await rows<Row>(patrons, { sql, values: [after, limit] })).map(countedWork);
}

/** Counts of works by the numbers of their keys; works without a row are absent. One statement. */
export async function readWorkCounts(
  patrons: Database,
  workIds: readonly number[],
): Promise<Map<number, WorkCounts>> {
  if (workIds.length === 0) return new Map();
  const sql = "SELECT * FROM work_count WHERE work_id IN (SELECT value FROM json_each(?1))";
  const found = await rows<Row>(patrons, { sql, values: [JSON.stringify(workIds)] });
  return new Map(found.map((row) => [row.work_id, countedWork(row).counts]));
}

/** The version of the newest change of counts; 0 when there was none. */
export async function readCountsEnd(patrons: Database): Promise<number> {
  const sql = "SELECT value FROM work_count_version";
  return (await firstRow<{ value: number }>(patrons, { sql, values: [] }))?.value ?? 0;
}

function valuesOf({ workId, counts }: CountedWork): number[] {
  const { ratings, wantToRead, currentlyReading, alreadyRead, stoppedReading } = counts;
  return [workId, ...ratings, wantToRead, currentlyReading, alreadyRead, stoppedReading];
}

function countedWork(row: Row): ChangedCounts {
  const counts: WorkCounts = {
    ratings: [row.ratings_1, row.ratings_2, row.ratings_3, row.ratings_4, row.ratings_5],
    wantToRead: row.want_to_read,
    currentlyReading: row.currently_reading,
    alreadyRead: row.already_read,
    stoppedReading: row.stopped_reading,
  };
  return { workId: row.work_id, counts, version: row.version };
}

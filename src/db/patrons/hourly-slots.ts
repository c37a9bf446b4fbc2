import type { TrendingSlots } from "../../search/documents/types.ts";
import { type Database, firstValue, rows, batchRows, overList, run } from "../statement.ts";
import type { ActivityState, WorkTrendRow } from "./patron-rows.ts";

export const TREND_WORKS_MAX = 1000;
const HOUR_MS = 3_600_000;

/** Work with events in the requested hour, or with points from before. */
interface Trend {
  readonly work: number;
  /** Books that came onto a shelf within the hour, or moved to another one. */
  readonly events: number;
  /** Null if nothing is stored. */
  readonly slots: TrendingSlots | null;
}

/** Both columns are null if nothing is stored. */
type StoredTrend = Pick<Trend, "work" | "events"> & Record<keyof Omit<WorkTrendRow, "work">, string | null>;

/**
 * Reads works after one, by number, with their events in an hour (hours since the epoch): works with events in it, and
 * works with points from before.
 */
export async function readTrends(patrons: Database, hour: number, after: number): Promise<Trend[]> {
  const sql = `WITH busy AS (
                 SELECT work_id, count(*) AS events FROM patron_work INDEXED BY patron_work_by_moved
                 WHERE shelf < 4 AND moved >= ?1 AND moved < ?2 GROUP BY work_id
               )
               SELECT w.work_id AS work, coalesce(b.events, 0) AS events, t.hourly, t.daily
               FROM (SELECT work_id FROM busy WHERE work_id > ?3 UNION SELECT work_id FROM work_trend WHERE work_id > ?3
                     ORDER BY work_id LIMIT ${TREND_WORKS_MAX}) w
               LEFT JOIN busy b ON b.work_id = w.work_id LEFT JOIN work_trend t ON t.work_id = w.work_id
               ORDER BY w.work_id`;
  const values = [hour * HOUR_MS, (hour + 1) * HOUR_MS, after];
  const trends = await rows<StoredTrend>(patrons, { sql, values });
  return trends.map(({ work, events, hourly, daily }) => ({
    work,
    events,
    slots:
      hourly === null || daily === null ? null : { hourly: parseNumbers(hourly), daily: parseNumbers(daily) },
  }));
}

function parseNumbers(text: string): number[] {
  // `storeTrends` writes the columns.
  return JSON.parse(text) as number[];
}

/** Reads all values of `activity_state`, by name. */
export async function readActivityState(patrons: Database): Promise<ActivityState> {
  const sql = "SELECT json_group_object(name, value) FROM activity_state";
  // Every name is one that `setActivityState` accepts.
  return JSON.parse((await firstValue<string>(patrons, { sql, values: [] })) ?? "{}") as ActivityState;
}

type WorkTrend = { readonly work: number; readonly slots: TrendingSlots };

/** Stores slots of works, and deletes those of quiet works. One transaction. */
export async function storeTrends(
  patrons: Database,
  { busy, quiet }: { busy: readonly WorkTrend[]; quiet: readonly number[] },
): Promise<void> {
  const list = busy.map(({ work, slots: { hourly, daily } }) => [work, hourly, daily]);
  const store = `INSERT OR REPLACE INTO work_trend
    SELECT e.value->>0, e.value->>1, e.value->>2 FROM json_each(?1) e`;
  await batchRows(patrons, [
    ...overList(list, store),
    ...overList(quiet, "DELETE FROM work_trend WHERE work_id IN (SELECT value FROM json_each(?1))"),
  ]);
}

export async function setActivityState(patrons: Database, state: ActivityState): Promise<void> {
  const sql = "INSERT OR REPLACE INTO activity_state SELECT key, value FROM json_each(?1)";
  await run(patrons, { sql, values: [JSON.stringify(state)] });
}

import type { TrendingSlots } from "../../search/documents/stored.ts";
import { type Database, batchRows, overList, prepare, rows } from "../statement.ts";

/** Works whose trends are counted at once. */
export const TREND_WORKS_MAX = 1000;
const HOUR_MS = 3_600_000;

/** A work that readers were busy with, in the hour that is asked about or before. */
interface TrendRow {
  /** Number of the work's key. */
  readonly work: number;
  /** Books that came onto a shelf within the hour, or moved to another one. */
  readonly events: number;
  /** Null: nothing is stored. */
  readonly slots: TrendingSlots | null;
}

/** The slots of a work. */
interface WorkTrend {
  readonly work: number;
  readonly slots: TrendingSlots;
}

interface Row {
  work: number;
  events: number;
  hourly: string | null;
  daily: string | null;
}

/**
 * Works after one, by number, with what happened in an hour (hours since the epoch): those with events in it, and those
 * with points from before.
 */
export async function readTrends(patrons: Database, hour: number, after: number): Promise<TrendRow[]> {
  const found = await rows<Row>(patrons, {
    sql: `WITH busy AS (
            SELECT work_id, count(*) AS events FROM patron_work INDEXED BY patron_work_by_moved
            WHERE shelf < 4 AND moved >= ?1 AND moved < ?2 GROUP BY work_id
          )
          SELECT w.work_id AS work, coalesce(b.events, 0) AS events, t.hourly, t.daily
          FROM (SELECT work_id FROM busy WHERE work_id > ?3 UNION SELECT work_id FROM work_trend WHERE work_id > ?3
                ORDER BY work_id LIMIT ${TREND_WORKS_MAX}) w
          LEFT JOIN busy b ON b.work_id = w.work_id LEFT JOIN work_trend t ON t.work_id = w.work_id
          ORDER BY w.work_id`,
    values: [hour * HOUR_MS, (hour + 1) * HOUR_MS, after],
  });
  return found.map(({ work, events, hourly, daily }) => ({
    work,
    events,
    slots: hourly === null || daily === null ? null : { hourly: numbers(hourly), daily: numbers(daily) },
  }));
}

/** Stores slots of works, and forgets those of works that are quiet now. One transaction. */
export async function storeTrends(
  patrons: Database,
  { busy, quiet }: { readonly busy: readonly WorkTrend[]; readonly quiet: readonly number[] },
): Promise<void> {
  const list = busy.map(({ work, slots: { hourly, daily } }) => [
    work,
    JSON.stringify(hourly),
    JSON.stringify(daily),
  ]);
  await batchRows(patrons, [
    ...overList(
      list,
      `INSERT OR REPLACE INTO work_trend
       SELECT e.value->>0, e.value->>1, e.value->>2 FROM json_each(?1) e`,
    ),
    ...overList(quiet, "DELETE FROM work_trend WHERE work_id IN (SELECT value FROM json_each(?1))"),
  ]);
}

function numbers(text: string): number[] {
  // `storeTrends` has written it.
  return JSON.parse(text) as number[];
}

/**
 * Names of what `activity_state` keeps: the last hour whose trends are counted (hours since the epoch) and the last work of
 * the next one; where the comparison of counts with their rows goes on, by work and by day.
 */
type ActivityStateName = "trend-hour" | "trend-work" | "recount-works" | "recount-days";

/** All that is kept, by name; what was never set is absent. */
export async function readActivityState(
  patrons: Database,
): Promise<Partial<Readonly<Record<ActivityStateName, number>>>> {
  const sql = "SELECT name, value FROM activity_state";
  const found = await rows<{ name: ActivityStateName; value: number }>(patrons, { sql, values: [] });
  // Every name is one of those that `setActivityState` takes.
  return Object.fromEntries(found.map(({ name, value }) => [name, value])) as Partial<
    Record<ActivityStateName, number>
  >;
}

/** Keeps values, all at once. */
export async function setActivityState(
  patrons: Database,
  values: Partial<Readonly<Record<ActivityStateName, number>>>,
): Promise<void> {
  const sql = "INSERT OR REPLACE INTO activity_state SELECT key, value FROM json_each(?1)";
  await prepare(patrons, { sql, values: [JSON.stringify(values)] }).run();
}

import { HOUR_MS, DAY_MS } from "../../catalog/units.ts";
import { type TrendingWindow, SHELVES } from "../../catalog/patrons/shelves.ts";
import type { TrendingSlots } from "../../search/documents/types.ts";
import { type Database, batchRows, firstValue, overList, rows, run } from "../statement.ts";
import type { ActivityState } from "./patron-rows.ts";

/** Works of a ranking that can be paged through; later pages are empty. */
const RANKED_WORKS_MAX = 10_000;
/** Newest entries of shelves that are read for the most recent changes. */
const RECENT_ENTRIES_MAX = 2000;

export interface RankedWork {
  readonly work: number;
  readonly entries: number;
}

export interface TrendingWish {
  readonly window: TrendingWindow;
  /** Works with more entries than this. */
  readonly minimum: number;
  /** True: sorted by number of entries, else by the last change; then by number of the work. */
  readonly byCount: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Reads the works that patrons put onto the shelves to read, being read, and read, within a window. Whole days are
 * taken from counts by day, so a long window does not read every entry. One statement.
 */
export async function readTrending(
  patrons: Database,
  { window, minimum, byCount, offset, limit }: TrendingWish,
): Promise<RankedWork[]> {
  const shown = Math.min(limit, RANKED_WORKS_MAX - offset);
  if (shown <= 0) return [];
  const values = [minimum, shown, offset];
  if (window.recent) return rows(patrons, { sql: RECENT, values });
  if (window.start === null) return rows(patrons, { sql: rankedSql(EVER, "", byCount), values });
  // Q204. Entries that came onto a shelf within the window have also changed within it.
  const sql = rankedSql(SINCE, "AND moved >= ?4 AND logged >= ?4", byCount);
  return rows(patrons, { sql, values: [...values, window.start, Math.ceil(window.start / DAY_MS)] });
}

/** ?1: minimum, ?2: limit, ?3: offset, ?4: start of the window, ?5: first whole day of it. */
const SINCE = `
  SELECT work_id AS work, sum(entries) AS entries FROM (
    SELECT work_id, count(*) AS entries FROM patron_work
    WHERE shelf < 4 AND logged >= ?4 AND logged < ?5 * ${DAY_MS} GROUP BY work_id
    UNION ALL SELECT work_id, entries FROM work_day WHERE day >= ?5
  ) GROUP BY work_id HAVING sum(entries) > ?1`;

/** The index `work_count_by_readers` is of the same sum; the shelf of stopped books counts for no ranking. */
const READERS = `(${SHELVES.filter(({ id }) => id < 4)
  .map(({ count }) => count)
  .join(" + ")})`;
const EVER = `SELECT work_id AS work, ${READERS} AS entries FROM work_count WHERE ${READERS} > ?1`;

/** Returns a query of the most recently changed entries that meet `condition`. */
const newestSql = (condition: string): string => `
  SELECT work_id, moved FROM patron_work INDEXED BY patron_work_by_moved WHERE shelf < 4 ${condition}
  ORDER BY moved DESC LIMIT ${RECENT_ENTRIES_MAX}`;
const RECENT = `
  SELECT work_id AS work, count(*) AS entries FROM (${newestSql("")})
  GROUP BY work_id HAVING count(*) > ?1 ORDER BY max(moved) DESC, work_id LIMIT ?2 OFFSET ?3`;

function rankedSql(counts: string, condition: string, byCount: boolean): string {
  if (byCount) return `${counts} ORDER BY entries DESC, work LIMIT ?2 OFFSET ?3`;
  return `
    WITH active AS (SELECT work_id, max(moved) AS moved FROM (${newestSql(condition)}) GROUP BY work_id),
      counted AS (${counts})
    SELECT c.work, c.entries FROM active a JOIN counted c ON c.work = a.work_id
    ORDER BY a.moved DESC, c.work LIMIT ?2 OFFSET ?3`;
}

export const TREND_WORKS_MAX = 1000;

/** Work with events in the requested hour, or with points from before. */
interface Trend {
  readonly work: number;
  /** Books that came onto a shelf within the hour, or moved to another one. */
  readonly events: number;
  /** Null if nothing is stored. */
  readonly slots: TrendingSlots | null;
}

/**
 * Reads works after one, by number, with their events in an hour (hours since the epoch): works with events in it, and
 * works with points from before.
 */
export async function readTrends(patrons: Database, hour: number, after: number): Promise<Trend[]> {
  const sql = `WITH busy AS (
                 SELECT work_id, count(*) AS events FROM patron_work INDEXED BY patron_work_by_moved
                 WHERE shelf < 4 AND moved >= ?1 AND moved < ?2 GROUP BY work_id
               )
               SELECT w.work_id AS work, coalesce(b.events, 0) AS events,
                 iif(t.work_id IS NULL, NULL, json_object('hourly', json(t.hourly), 'daily', json(t.daily))) AS slots
               FROM (SELECT work_id FROM busy WHERE work_id > ?3 UNION SELECT work_id FROM work_trend WHERE work_id > ?3
                     ORDER BY work_id LIMIT ${TREND_WORKS_MAX}) w
               LEFT JOIN busy b ON b.work_id = w.work_id LEFT JOIN work_trend t ON t.work_id = w.work_id
               ORDER BY w.work_id`;
  const values = [hour * HOUR_MS, (hour + 1) * HOUR_MS, after];
  const trends = await rows<Omit<Trend, "slots"> & { slots: string | null }>(patrons, { sql, values });
  return trends.map(({ work, events, slots }) => {
    // The statement creates the object.
    return { work, events, slots: slots === null ? null : (JSON.parse(slots) as TrendingSlots) };
  });
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

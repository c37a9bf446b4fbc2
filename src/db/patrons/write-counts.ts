import type { TrendingSlots } from "../../search/documents/stored.ts";
import { type Database, batchRows, overList, run } from "../statement.ts";
import { COLUMNS, COUNTED, DAYS, GIVEN, OBSERVED } from "./recount.ts";
import type { ActivityState } from "./patron-rows.ts";

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

/** Stores values, all in one statement. */
export async function setActivityState(patrons: Database, state: ActivityState): Promise<void> {
  const sql = "INSERT OR REPLACE INTO activity_state SELECT key, value FROM json_each(?1)";
  await run(patrons, { sql, values: [JSON.stringify(state)] });
}

/** Recounts works and stores the results, in one transaction. */
export async function repairWorks(patrons: Database, works: readonly number[]): Promise<void> {
  if (works.length === 0) return;
  const values = [JSON.stringify(works)];
  await batchRows(patrons, [
    { sql: "DELETE FROM observation_count WHERE work_id IN (SELECT value FROM json_each(?1))", values },
    { sql: `WITH ${GIVEN}, ${OBSERVED} INSERT INTO observation_count SELECT * FROM observed`, values },
    { sql: "UPDATE work_count_version SET value = value + ?1", values: [works.length] },
    {
      sql: `WITH ${GIVEN}, ${COUNTED}
            INSERT INTO work_count
            SELECT *, (SELECT value FROM work_count_version) - (row_number() OVER (ORDER BY work_id)) + 1
            FROM counted WHERE true
            ON CONFLICT (work_id) DO UPDATE SET
              ${[...COLUMNS, "version"].map((column) => `${column} = excluded.${column}`).join(", ")}`,
      values,
    },
  ]);
}

/** Recounts days and stores the results, each in one transaction. */
export async function repairDays(patrons: Database, days: readonly number[]): Promise<void> {
  for (const day of days) {
    await batchRows(patrons, [
      { sql: "DELETE FROM work_day WHERE day = ?1", values: [day] },
      { sql: `WITH ${DAYS} INSERT INTO work_day SELECT * FROM counted`, values: [day, 1] },
    ]);
  }
}

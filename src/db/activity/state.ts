import { type Database, prepare, rows } from "../statement.ts";

/**
 * Names of what `activity_state` keeps: the last hour whose trends are counted (hours since the epoch) and the last work of
 * the next one; where the comparison of counts with their rows goes on, by work and by day.
 */
export type ActivityStateName = "trend-hour" | "trend-work" | "recount-works" | "recount-days";

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

import { datetimeMilliseconds, datetimeText } from "../../catalog/datetime.ts";
import { type DumpRow, newestDumps } from "../../db/dumps/read-dumps.ts";
import { readLastChange } from "../../db/history/changes.ts";
import { forgetRetired, retireDumps, takeIdleDumps } from "../../db/dumps/write-dumps.ts";
import type { Jobs } from "../http/queue.ts";
import { DAY_MS, beginDelta, beginFull, dayOf, queueDump, startOf } from "./begin.ts";

/** Dumps of everything, and of days, that are kept; older ones are deleted. */
export const FULL_DUMPS_KEPT = 3;
export const DELTAS_KEPT = 100;
/** After how long a dump counts as left alone, in milliseconds, and how many of these are resumed at a time. */
export const DUMP_IDLE_MS = 180_000;
const DUMPS_RESUMED_MAX = 20;
/** How long after midnight the dump of a day is begun, in milliseconds: what was under way then is stored. */
export const DELTA_DELAY_MS = 600_000;
/** Days that one sweep begins dumps of. */
const DELTAS_BEGUN_MAX = 10;
/** After how long the dump of a day that has failed is begun again, in milliseconds, and how often altogether. */
export const DELTA_AGAIN_MS = 21_600_000;
export const DELTA_ATTEMPTS_MAX = 5;

/** The sweep: begins the dumps that are due, goes on with those that were left alone, and deletes old ones. */
export async function sweepDumps(jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const { catalog, dumpJobs } = stores;
  const time = sources.now();
  const now = datetimeText(time);
  await forgetRetired(catalog);
  const retired = [
    ...(await retireDumps(catalog, { kind: "full", keep: FULL_DUMPS_KEPT, now })),
    ...(await retireDumps(catalog, { kind: "delta", keep: DELTAS_KEPT, now })),
  ];
  for (const { id, step } of retired) await queueDump(dumpJobs, { dump: id, step });
  await resumeDumps(jobs, DUMP_IDLE_MS);
  if (jobs.settings.DUMPS !== "off") await beginDue(jobs, time);
}

/** Resumes dumps that no consumer has touched for so long, and returns how many. */
export async function resumeDumps({ stores, sources }: Pick<Jobs, "stores" | "sources">, idleMs: number) {
  const { catalog, dumpJobs } = stores;
  const time = sources.now();
  const moments = { before: datetimeText(time - idleMs), after: datetimeText(time + idleMs) };
  const idle = await takeIdleDumps(catalog, { ...moments, limit: DUMPS_RESUMED_MAX });
  for (const { id, step } of idle) await queueDump(dumpJobs, { dump: id, step });
  return idle.length;
}

/** Begins what is due by now: a missed day is made up for. Of a catalog without a change there is nothing. */
async function beginDue(jobs: Jobs, now: number): Promise<void> {
  const { catalog } = jobs.stores;
  const full = await newestDumps(catalog, "full", FULL_DUMPS_KEPT + 1);
  const deltas = await newestDumps(catalog, "delta", DELTAS_KEPT);
  const isDue = isFullDue(full, periodStart(jobs.settings.DUMPS, now), dayOf(now));
  const days = dueDays(deltas, now);
  if ((!isDue && days.length === 0) || (await readLastChange(catalog)) === 0) return;
  if (isDue) await beginFull(jobs);
  for (const day of days) await beginDelta(day, jobs);
}

/** The first day of the month, or the Monday of the week. */
function periodStart(every: Jobs["settings"]["DUMPS"], now: number): string {
  const today = dayOf(now);
  if (every === "monthly") return `${today.slice(0, 8)}01`;
  const daysSinceMonday = (new Date(now).getUTCDay() + 6) % 7;
  return dayOf(now - daysSinceMonday * DAY_MS);
}

function isFullDue(newest: readonly DumpRow[], start: string, today: string): boolean {
  return !newest.some(({ date, state }) => date === today || (date >= start && state !== "failed"));
}

/** Days whose dumps are to be begun, oldest first; those that have failed a while ago among them. */
function dueDays(newest: readonly DumpRow[], now: number): string[] {
  const [last] = newest;
  const end = startOf(dayOf(now - DELTA_DELAY_MS));
  const days: string[] = [];
  const first = last === undefined ? end - DAY_MS : startOf(last.date) + DAY_MS;
  for (let start = Math.max(first, end - DELTAS_KEPT * DAY_MS); start < end; start += DAY_MS) {
    if (days.length < DELTAS_BEGUN_MAX) days.push(dayOf(start));
  }
  const again = newest.filter(
    ({ state, stage, attempts, updated }) =>
      state === "failed" &&
      stage === "done" &&
      attempts < DELTA_ATTEMPTS_MAX &&
      datetimeMilliseconds(updated) <= now - DELTA_AGAIN_MS,
  );
  return [...again.map(({ date }) => date), ...days];
}

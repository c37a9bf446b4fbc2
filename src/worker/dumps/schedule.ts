import { DAY_MS } from "../../catalog/units.ts";
import * as z from "zod";
import { parseDatetime, formatDatetime } from "../../catalog/datetime.ts";
import {
  type DumpRow,
  readDumpsAround,
  readNewestDumps,
  readChangeAt,
  readDump,
} from "../../db/dumps/read-dumps.ts";
import { readLastChange } from "../../db/history/changes.ts";
import { beginDump, forgetRetired, retireDumps, takeIdleDumps } from "../../db/dumps/write-dumps.ts";
import { type Jobs, sendOrLog } from "../http/queue.ts";
import { FIRST_STAGE } from "./stages.ts";

/** Message of the queue `carrel-dumps`: the next step of a dump, `{"dump": 3, "step": 17}`. */
export const dumpMessage = z.object({ dump: z.int().positive(), step: z.int().gte(0) });
export type DumpMessage = z.infer<typeof dumpMessage>;

/** Queues the next step of a dump. A failure is only logged, because the sweep resumes the dump. */
export function queueDump(queue: Queue, message: DumpMessage): Promise<void> {
  return sendOrLog("dump", message, () => queue.send(message));
}

/** Returns the day of a time as `YYYY-MM-DD` in UTC. */
export function dumpDayOf(milliseconds: number): string {
  return formatDatetime(milliseconds).slice(0, 10);
}

export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

type StartedDump = { readonly dump: DumpRow | undefined; readonly isNew: boolean };

/** Starts and queues a dump of everything as it is now, or returns today's. */
export async function beginFull({ stores, sources }: Jobs): Promise<StartedDump> {
  const now = sources.now();
  const changeId = await readLastChange(stores.catalog);
  return startDump(stores, { kind: "full", date: dumpDayOf(now), now, afterChange: 0, changeId });
}

/**
 * Starts and queues a dump of the revisions of a past day, or returns that day's. It starts where the dump of the day
 * before ends, so that no revision is missed between them (Q425).
 */
export async function beginDelta(date: string, { stores, sources }: Jobs): Promise<StartedDump> {
  const { catalog } = stores;
  const start = startOf(date);
  const { before, after } = await readDumpsAround(catalog, "delta", date);
  const afterChange = before?.change_id ?? (await readChangeAt(catalog, formatDatetime(start)));
  const cut = await readChangeAt(catalog, formatDatetime(start + DAY_MS));
  const changeId = Math.max(afterChange, Math.min(cut, after?.after_change ?? cut));
  return startDump(stores, { kind: "delta", date, now: sources.now(), afterChange, changeId });
}

type NewDump = Omit<Parameters<typeof beginDump>[1], "stage" | "now"> & { readonly now: number };

async function startDump({ catalog, dumpJobs }: Jobs["stores"], { now, ...dump }: NewDump) {
  const { kind, date } = dump;
  const row = await beginDump(catalog, { ...dump, stage: FIRST_STAGE[kind], now: formatDatetime(now) });
  if (row === undefined) return { dump: await readDump(catalog, kind, date), isNew: false };
  await queueDump(dumpJobs, { dump: row.id, step: row.step });
  return { dump: row, isNew: true };
}

/** Number of stored dumps of everything, and of days. Older ones are deleted. */
export const FULL_DUMPS_KEPT = 3;
export const DELTAS_KEPT = 100;
/** Time in milliseconds after which a dump counts as idle, and maximum number of dumps resumed at a time. */
export const DUMP_IDLE_MS = 180_000;
const DUMPS_RESUMED_MAX = 20;
/** Delay in milliseconds after midnight before the dump of a day starts, so that running writes are stored. */
export const DELTA_DELAY_MS = 600_000;
const DELTAS_BEGUN_MAX = 10;
/** Delay in milliseconds before the failed dump of a day is restarted, and maximum number of attempts. */
export const DELTA_AGAIN_MS = 21_600_000;
export const DELTA_ATTEMPTS_MAX = 5;

/** Scheduled task: starts due dumps, those of missed days included, resumes idle ones, and deletes old ones. */
export async function sweepDumps(jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const { catalog, dumpJobs } = stores;
  const time = sources.now();
  const now = formatDatetime(time);
  await forgetRetired(catalog);
  const retired = [
    ...(await retireDumps(catalog, { kind: "full", keep: FULL_DUMPS_KEPT, now })),
    ...(await retireDumps(catalog, { kind: "delta", keep: DELTAS_KEPT, now })),
  ];
  for (const { id, step } of retired) await queueDump(dumpJobs, { dump: id, step });
  await resumeDumps(jobs, DUMP_IDLE_MS);
  const every = jobs.settings.DUMPS;
  if (every === "off") return;
  const today = dumpDayOf(time);
  const daysSinceMonday = (new Date(time).getUTCDay() + 6) % 7;
  const start = every === "monthly" ? `${today.slice(0, 8)}01` : dumpDayOf(time - daysSinceMonday * DAY_MS);
  const full = await readNewestDumps(catalog, "full", FULL_DUMPS_KEPT + 1);
  const isFullDue = !full.some(({ date, state }) => date === today || (date >= start && state !== "failed"));
  const days = dueDays(await readNewestDumps(catalog, "delta", DELTAS_KEPT), time);
  // A catalog without a change has no dumps.
  if ((!isFullDue && days.length === 0) || (await readLastChange(catalog)) === 0) return;
  if (isFullDue) await beginFull(jobs);
  for (const day of days) await beginDelta(day, jobs);
}

/** Resumes dumps that no consumer has touched for `idleMs` milliseconds, and returns their number. */
export async function resumeDumps({ stores, sources }: Jobs, idleMs: number) {
  const { catalog, dumpJobs } = stores;
  const time = sources.now();
  const moments = { before: formatDatetime(time - idleMs), after: formatDatetime(time + idleMs) };
  const idle = await takeIdleDumps(catalog, { ...moments, limit: DUMPS_RESUMED_MAX });
  for (const { id, step } of idle) await queueDump(dumpJobs, { dump: id, step });
  return idle.length;
}

/** Returns the days whose dumps are due: failed ones to restart, then missing ones, oldest first. */
function dueDays(newest: readonly DumpRow[], now: number): string[] {
  const [last] = newest;
  const end = startOf(dumpDayOf(now - DELTA_DELAY_MS));
  const days: string[] = [];
  const first = last === undefined ? end - DAY_MS : startOf(last.date) + DAY_MS;
  for (let start = Math.max(first, end - DELTAS_KEPT * DAY_MS); start < end; start += DAY_MS) {
    if (days.length < DELTAS_BEGUN_MAX) days.push(dumpDayOf(start));
  }
  const retried = newest.filter(
    ({ state, stage, attempts, updated }) =>
      state === "failed" &&
      stage === "done" &&
      attempts < DELTA_ATTEMPTS_MAX &&
      parseDatetime(updated) <= now - DELTA_AGAIN_MS,
  );
  return [...retried.map(({ date }) => date), ...days];
}

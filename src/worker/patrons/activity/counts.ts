import { HOUR_MS } from "../../../catalog/units.ts";
import {
  TREND_WORKS_MAX,
  readActivityState,
  readTrends,
  setActivityState,
  storeTrends,
} from "../../../db/patrons/trending.ts";
import {
  type Recounted,
  recountDays,
  recountWorks,
  repairDays,
  repairWorks,
} from "../../../db/patrons/recount.ts";
import type { Database } from "../../../db/statement.ts";
import { NO_SLOTS, isQuiet, slotsAfter, trendOf } from "../../../search/documents/popularity.ts";
import { logLine } from "../../http/log.ts";
import type { CallBudget } from "../../http/call-budget.ts";
import { type Indexing, indexTarget } from "../../indexing/indexing.ts";

export async function checkCounts(
  patrons: Database,
  { part, from, repair }: { part: "works" | "days"; from: number; repair: boolean },
): Promise<Recounted> {
  const recounted = part === "works" ? await recountWorks(patrons, from) : await recountDays(patrons, from);
  if (repair && recounted.wrong.length > 0) {
    await (part === "works" ? repairWorks : repairDays)(patrons, recounted.wrong);
  }
  return recounted;
}

/**
 * Checks and repairs the next parts, starting over after the last ones. Logs differences as errors: the triggers should
 * prevent them.
 */
export async function checkNextCounts(patrons: Database): Promise<void> {
  const state = await readActivityState(patrons);
  const check = (part: "works" | "days") =>
    checkCounts(patrons, { part, from: state[`recount-${part}`] ?? 0, repair: true });
  const works = await check("works");
  const days = await check("days");
  if (works.wrong.length + days.wrong.length > 0) {
    logLine("error", "count audit", { works: works.wrong.slice(0, 10), days: days.wrong });
  }
  await setActivityState(patrons, { "recount-works": works.next ?? 0, "recount-days": days.next ?? 0 });
}

/** Delay after the end of an hour before its events are counted, in milliseconds. Later events are missed. */
const TREND_DELAY_MS = 300_000;
/** Hours that a late run catches up on. Events of earlier hours have left all slots. */
const TREND_HOURS_MAX = 8 * 24;

/**
 * Counts the hours that ended since the last run, and writes sums and scores into the index. If a run breaks off, its
 * page is counted again with the same result: slots are set, never added to.
 */
export async function followTrends(
  indexings: readonly [Indexing, ...Indexing[]],
  budget: CallBudget,
): Promise<void> {
  const { patrons, now } = indexings[0];
  const last = Math.floor((now() - TREND_DELAY_MS) / HOUR_MS) - 1;
  const state = await readActivityState(patrons);
  const counted = state["trend-hour"] ?? last - 1;
  let hour = Math.max(counted, last - TREND_HOURS_MAX);
  let work = counted === hour ? (state["trend-work"] ?? 0) : 0;
  while (hour < last) {
    const counting = hour + 1;
    const rows = await readTrends(patrons, counting, work);
    const trends = rows.map(({ work: id, events, slots }) => {
      return { work: id, slots: slotsAfter(slots ?? NO_SLOTS, counting, events) };
    });
    const patches = trends.map(({ work: id, slots }) => ({ id, trending: trendOf(slots) }));
    // The index first: a work without recent events is deleted only after the index has its score.
    for (const indexing of indexings) await (await indexTarget(indexing)).index.patchTrending(patches);
    await storeTrends(patrons, {
      busy: trends.filter(({ slots }) => !isQuiet(slots)),
      quiet: trends.filter(({ slots }) => isQuiet(slots)).map(({ work: id }) => id),
    });
    const isLast = rows.length < TREND_WORKS_MAX;
    if (isLast) hour += 1;
    work = isLast ? 0 : (rows.at(-1)?.work ?? 0);
    await setActivityState(patrons, { "trend-hour": hour, "trend-work": work });
    if (budget.isOver()) return;
  }
}

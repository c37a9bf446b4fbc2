import { TREND_WORKS_MAX, readActivityState, readTrends } from "../../../db/patrons/hourly-slots.ts";
import { setActivityState, storeTrends } from "../../../db/patrons/write-counts.ts";
import { NO_SLOTS, isQuiet, slotsAfter, trendOf } from "../../../search/documents/popularity.ts";
import { type Indexing, targetOf } from "../../indexing/indexing.ts";

/** Time budget of one run, in milliseconds; the page under way is finished. */
const TREND_RUN_MS = 5000;
/**
 * Delay after the end of an hour before its events are counted, in milliseconds: events that arrive later are missed.
 */
const TREND_DELAY_MS = 300_000;
/** Hours that a late run makes up for; earlier ones would leave nothing in any slot. */
const TREND_HOURS_MAX = 8 * 24;
const HOUR_MS = 3_600_000;

/**
 * Counts the hours that ended since the last run, and writes sums and scores into the index. If a run breaks off, its
 * page is counted again with the same result: slots are set, never added to.
 */
export async function followTrends(indexings: readonly [Indexing, ...Indexing[]]): Promise<void> {
  const { patrons, now } = indexings[0];
  const deadline = now() + TREND_RUN_MS;
  const last = Math.floor((now() - TREND_DELAY_MS) / HOUR_MS) - 1;
  const state = await readActivityState(patrons);
  const counted = state["trend-hour"] ?? last - 1;
  let hour = Math.max(counted, last - TREND_HOURS_MAX);
  let work = counted === hour ? (state["trend-work"] ?? 0) : 0;
  while (hour < last && now() < deadline) {
    const page = await countPage(indexings, hour + 1, work);
    work = page ?? 0;
    if (page === null) hour += 1;
    await setActivityState(patrons, { "trend-hour": hour, "trend-work": work });
  }
}

/** Counts a page of works in an hour. Returns the last work, or null after the last page. */
async function countPage(
  indexings: readonly [Indexing, ...Indexing[]],
  hour: number,
  after: number,
): Promise<number | null> {
  const { patrons } = indexings[0];
  const found = await readTrends(patrons, hour, after);
  const trends = found.map(({ work, events, slots }) => ({
    work,
    slots: slotsAfter(slots ?? NO_SLOTS, hour, events),
  }));
  const patches = trends.map(({ work, slots }) => ({ id: work, trending: trendOf(slots) }));
  // The index first: a work without recent events is forgotten only after the index has its score.
  for (const indexing of indexings) await (await targetOf(indexing)).index.patchTrending(patches);
  await storeTrends(patrons, {
    busy: trends.filter(({ slots }) => !isQuiet(slots)),
    quiet: trends.filter(({ slots }) => isQuiet(slots)).map(({ work }) => work),
  });
  return found.length < TREND_WORKS_MAX ? null : (found.at(-1)?.work ?? null);
}

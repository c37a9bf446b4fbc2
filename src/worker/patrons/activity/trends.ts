import { TREND_WORKS_MAX, readActivityState, readTrends } from "../../../db/patrons/hourly-slots.ts";
import { setActivityState, storeTrends } from "../../../db/patrons/write-counts.ts";
import { NO_SLOTS, isQuiet, slotsAfter, trendOf } from "../../../search/documents/popularity.ts";
import { type Indexing, targetOf } from "../../indexing/indexing.ts";

/** How long one run goes on, in milliseconds; the page under way is finished. */
const TREND_RUN_MS = 5000;
/** How long after the end of an hour its events are counted, in milliseconds: what is late by more is not seen. */
const TREND_DELAY_MS = 300_000;
/** Hours that are made up for; of what lies before them nothing would be left in any slot. */
const TREND_HOURS_MAX = 8 * 24;
const HOUR_MS = 3_600_000;

/**
 * Counts the hours that are over since the last run, and puts sums and scores into the index. A page is
 * counted again when a run breaks off, and comes to the same: slots are set, never added to.
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

/** Counts a page of works in an hour; the last of them, null when there are no more. */
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
  // The index first: a work that is quiet is forgotten only when the index says so too.
  for (const indexing of indexings) await (await targetOf(indexing)).index.patchTrending(patches);
  await storeTrends(patrons, {
    busy: trends.filter(({ slots }) => !isQuiet(slots)),
    quiet: trends.filter(({ slots }) => isQuiet(slots)).map(({ work }) => work),
  });
  return found.length < TREND_WORKS_MAX ? null : (found.at(-1)?.work ?? null);
}

import type { Trending, TrendingSlots } from "../index/stored.ts";

/** Points for a book that comes onto a shelf, or moves to another one. Nothing else gives points (Q207). */
export const POINTS_PER_SHELF_EVENT = 10;
const HOURS = 24;
const DAYS = 7;
/** Below these a work is too quiet to be said to trend. */
const POINTS_MIN = 30;
const WEEK_POINTS_MIN = 8;
const HOUR_MS = 3_600_000;

/** The slots of a work that nobody was busy with. */
export const NO_SLOTS: TrendingSlots = {
  hourly: Array.from({ length: HOURS }, () => 0),
  daily: Array.from({ length: DAYS }, () => 0),
};

/** Slots after an hour (hours since the epoch, UTC) with so many events; the last hour of a day makes that day's slot. */
export function slotsAfter({ hourly, daily }: TrendingSlots, hour: number, events: number): TrendingSlots {
  const hours = hourly.with(hour % HOURS, POINTS_PER_SHELF_EVENT * events);
  if (hour % HOURS !== HOURS - 1) return { hourly: hours, daily };
  return { hourly: hours, daily: daily.with(weekday(hour), sum(hours)) };
}

/** Sum and score of slots (search.md 11.5). */
export function trendOf(slots: TrendingSlots): Trending {
  const hourlySum = sum(slots.hourly);
  return { hourlySum, zScore: zScore(hourlySum, slots.daily), slots: isQuiet(slots) ? undefined : slots };
}

/** How far a day's points are from those of the last seven days, in standard deviations (search.md 11.5). */
export function zScore(today: number, daily: readonly number[]): number {
  const week = sum(daily);
  if (week + today < POINTS_MIN || week < WEEK_POINTS_MIN) return 0;
  const mean = week / DAYS;
  const variance = sum(daily.map((day) => (day - mean) ** 2)) / DAYS;
  return (today - mean) / (Math.sqrt(variance) + 1);
}

/** True when there is nothing but zeros. */
export function isQuiet({ hourly, daily }: TrendingSlots): boolean {
  return [...hourly, ...daily].every((points) => points === 0);
}

/** Day of the week of an hour, Monday 0. */
function weekday(hour: number): number {
  return (new Date(hour * HOUR_MS).getUTCDay() + DAYS - 1) % DAYS;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

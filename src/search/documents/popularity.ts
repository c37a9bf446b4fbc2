import { SHELVES } from "../../catalog/patrons/shelves.ts";
import type { Trending, TrendingSlots } from "./stored.ts";
import { type WorkCounts, type WorkDocument, NO_COUNTS } from "./types.ts";

/** How sure the lower bound of a rating is: 95 percent, one-sided. */
const CONFIDENCE_Z = 1.65;
const STARS = [1, 2, 3, 4, 5] as const;

/** Number of ratings. */
export function ratingsCount(ratings: WorkCounts["ratings"]): number {
  return ratings.reduce((sum, count) => sum + count, 0);
}

/** Mean of the stars; 0 without a rating. */
export function ratingsAverage(ratings: WorkCounts["ratings"]): number {
  const count = ratingsCount(ratings);
  return count === 0 ? 0 : STARS.reduce((sum, star) => sum + star * at(ratings, star), 0) / count;
}

// Q61: no rating is better than a bad one.
/**
 * What works are sorted by: a mean that is probably not below the true one, as if everybody had first given each
 * number of stars once. 2.05 without a rating, 4.99 at best.
 */
export function ratingsSortable(ratings: WorkCounts["ratings"]): number {
  const count = ratingsCount(ratings);
  const total = count + STARS.length;
  let mean = 0;
  let squares = 0;
  for (const star of STARS) {
    // In this order, so that not even the last digit differs from what clients know.
    const weight = star * (at(ratings, star) + 1);
    mean += weight / total;
    squares += (star * weight) / total;
  }
  return mean - CONFIDENCE_Z * Math.sqrt((squares - mean * mean) / (total + 1));
}

/** Readers who have the work on a shelf. */
export function readinglogCount(counts: WorkCounts): number {
  return SHELVES.reduce((sum, { member }) => sum + counts[member], 0);
}

function at(ratings: WorkCounts["ratings"], star: number): number {
  return ratings[star - 1] ?? 0;
}

/** More readers than that make a work no more popular. */
const ALREADY_READ_COUNT_MAX = 50;

/** Factor of a work's text score: 9.5 for the least known, some 270 for the best known. */
export function popularity({
  edition_count: editions,
  counts,
}: Pick<WorkDocument, "edition_count" | "counts">): number {
  return (
    20 * Math.log10(3 + editions) +
    Math.min(ALREADY_READ_COUNT_MAX, counts.alreadyRead) +
    35 * Math.log10((4 + readinglogCount(counts)) / 4)
  );
}

/** That of works with one edition and no readers: the only ones from 12 to below 12.5. */
export const USUAL = popularity({ edition_count: 1, counts: NO_COUNTS });

/** Points for a book that comes onto a shelf, or moves to another one. Nothing else gives points (Q207). */
const POINTS_PER_SHELF_EVENT = 10;
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
  return { hourly: hours, daily: daily.with(weekday(hour), sumOf(hours)) };
}

/** Sum and score of slots. */
export function trendOf(slots: TrendingSlots): Trending {
  const hourlySum = sumOf(slots.hourly);
  return { hourlySum, zScore: zScore(hourlySum, slots.daily), slots: isQuiet(slots) ? undefined : slots };
}

/** How far a day's points are from those of the last seven days, in standard deviations. */
export function zScore(today: number, daily: readonly number[]): number {
  const week = sumOf(daily);
  if (week + today < POINTS_MIN || week < WEEK_POINTS_MIN) return 0;
  const mean = week / DAYS;
  const variance = sumOf(daily.map((day) => (day - mean) ** 2)) / DAYS;
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

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Lower ends of the bands of popularity, the most popular one first. They are absolute, so that one work can be indexed
 * without a look at the others. Without readers popularity follows from the number of editions: about 12 is one, 14 two, 18 five,
 * 22 ten, 27 twenty, 34 fifty; below 12 there is none.
 */
const BANDS = [200, 140, 100, 75, 55, 42, 34, 27, 22, 18, 15, 12.5, 12, 0] as const;

/** Bands are numbered from 1, that of the most popular works. */
export const LAST_BAND = BANDS.length;

/** Band of a popularity. */
export function popularityBand(value: number): number {
  return 1 + BANDS.findIndex((end) => value >= end);
}

/** That of works with one edition and no readers, nearly all of a catalog: in it all are equally popular. */
export const USUAL_BAND = popularityBand(USUAL);

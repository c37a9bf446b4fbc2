import { HOUR_MS } from "../../catalog/units.ts";
import { SHELVES } from "../../catalog/patrons/shelves.ts";
import { type Trending, type TrendingSlots, type WorkCounts, type WorkDocument, NO_COUNTS } from "./types.ts";

/** Z-score of the lower bound of a rating: 95 percent confidence, one-sided. */
const CONFIDENCE_Z = 1.65;
const STARS = [1, 2, 3, 4, 5] as const;

/** Returns the number of ratings. */
export function countRatings(ratings: WorkCounts["ratings"]): number {
  return ratings.reduce((sum, count) => sum + count, 0);
}

/** Returns the mean of the stars; 0 without a rating. */
export function averageRatingOf(ratings: WorkCounts["ratings"]): number {
  const count = countRatings(ratings);
  return count === 0 ? 0 : STARS.reduce((sum, star) => sum + star * ratingsWith(ratings, star), 0) / count;
}

// Q61: works without a rating rank above badly rated ones.
/**
 * Returns the rating for sorting: a mean that is probably not above the true one, as if each number of stars had one
 * rating more. 2.05 without a rating, 4.99 at best.
 */
export function sortableRatingOf(ratings: WorkCounts["ratings"]): number {
  const count = countRatings(ratings);
  const total = count + STARS.length;
  let mean = 0;
  let squares = 0;
  for (const star of STARS) {
    // Computed in this order, so that not even the last digit differs from the values that clients know.
    const weight = star * (ratingsWith(ratings, star) + 1);
    mean += weight / total;
    squares += (star * weight) / total;
  }
  return mean - CONFIDENCE_Z * Math.sqrt((squares - mean * mean) / (total + 1));
}

/** Returns the ratings of a work as clients see them: a work without any has an average, and a sort position (Q210). */
export function summarizeRatings(ratings: WorkCounts["ratings"]) {
  const summary = {
    average: averageRatingOf(ratings),
    count: countRatings(ratings),
    sortable: sortableRatingOf(ratings),
  };
  return { summary, counts: Object.fromEntries(STARS.map((star) => [star, ratingsWith(ratings, star)])) };
}

/** Returns the number of readers who have the work on a shelf. */
export function countReaders(counts: WorkCounts): number {
  return SHELVES.reduce((sum, { member }) => sum + counts[member], 0);
}

function ratingsWith(ratings: WorkCounts["ratings"], star: number): number {
  return ratings[star - 1] ?? 0;
}

const ALREADY_READ_COUNT_MAX = 50;

/** Returns the factor of a work's text score: 9.5 for the least known, about 270 for the best known. */
export function popularityScoreOf({
  edition_count: editions,
  counts,
}: Pick<WorkDocument, "edition_count" | "counts">): number {
  return (
    20 * Math.log10(3 + editions) +
    Math.min(ALREADY_READ_COUNT_MAX, counts.alreadyRead) +
    35 * Math.log10((4 + countReaders(counts)) / 4)
  );
}

/** Popularity of works with one edition and no readers: the only works from 12 to below 12.5. */
export const USUAL = popularityScoreOf({ edition_count: 1, counts: NO_COUNTS });

/** Points for a book that is added to a shelf or moved to another one. No other events count (Q207). */
const POINTS_PER_SHELF_EVENT = 10;
const HOURS = 24;
const DAYS = 7;
/** Minimum points for a work to trend. Below, it has too little activity. */
const POINTS_MIN = 30;
const WEEK_POINTS_MIN = 8;

export const NO_SLOTS: TrendingSlots = {
  hourly: Array.from({ length: HOURS }, () => 0),
  daily: Array.from({ length: DAYS }, () => 0),
};

/** Updates slots after an hour (since the epoch, UTC). The last hour of a day fills the day's slot. */
export function slotsAfter({ hourly, daily }: TrendingSlots, hour: number, events: number): TrendingSlots {
  const hours = hourly.with(hour % HOURS, POINTS_PER_SHELF_EVENT * events);
  if (hour % HOURS !== HOURS - 1) return { hourly: hours, daily };
  // Monday is 0.
  const weekday = (new Date(hour * HOUR_MS).getUTCDay() + DAYS - 1) % DAYS;
  return { hourly: hours, daily: daily.with(weekday, sumOf(hours)) };
}

/** Returns sum and score of slots. */
export function trendOf(slots: TrendingSlots): Trending {
  const hourlySum = sumOf(slots.hourly);
  return { hourlySum, zScore: zScoreOf(hourlySum, slots.daily), slots: isQuiet(slots) ? undefined : slots };
}

/** Returns the distance of a day's points from the mean of the last seven days, in standard deviations. */
export function zScoreOf(today: number, daily: readonly number[]): number {
  const week = sumOf(daily);
  if (week + today < POINTS_MIN || week < WEEK_POINTS_MIN) return 0;
  const mean = week / DAYS;
  const variance = sumOf(daily.map((day) => (day - mean) ** 2)) / DAYS;
  return (today - mean) / (Math.sqrt(variance) + 1);
}

/** Returns true if all slots are zero. */
export function isQuiet({ hourly, daily }: TrendingSlots): boolean {
  return [...hourly, ...daily].every((points) => points === 0);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Lower bounds of the popularity bands, highest first. They are absolute, so that a work can be indexed without reading
 * the others. Without readers the popularity follows from the number of editions: about 12 is one, 14 two, 18 five, 22
 * ten, 27 twenty, 34 fifty; no work is below 12.
 */
const BANDS = [200, 140, 100, 75, 55, 42, 34, 27, 22, 18, 15, 12.5, 12, 0] as const;

/** Number of the last band. Bands are numbered from 1, the most popular works. */
export const LAST_BAND = BANDS.length;

/** Returns the band of a popularity. */
export function popularityBandOf(value: number): number {
  return 1 + BANDS.findIndex((end) => value >= end);
}

/**
 * Returns the maximum number of editions of a work in a band, without readers, which only raise popularity. It falls from
 * band to band.
 */
export function maxEditionsOf(band: number): number {
  const end = BANDS[band - 2] ?? Number.POSITIVE_INFINITY;
  return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(10 ** (end / 20) - 3) - 1);
}

/** Band of works with one edition and no readers, which are nearly all of a catalog and all equally popular. */
export const USUAL_BAND = popularityBandOf(USUAL);

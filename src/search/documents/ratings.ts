import type { WorkCounts } from "./types.ts";

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
 * number of stars once (search.md 9.1). 2.05 without a rating, 4.99 at best.
 */
export function ratingsSortable(ratings: WorkCounts["ratings"]): number {
  const count = ratingsCount(ratings);
  const total = count + STARS.length;
  let mean = 0;
  let squares = 0;
  for (const star of STARS) {
    // In this order, so that not even the last digit differs from what clients know (lookup.md 16.1).
    const weight = star * (at(ratings, star) + 1);
    mean += weight / total;
    squares += (star * weight) / total;
  }
  return mean - CONFIDENCE_Z * Math.sqrt((squares - mean * mean) / (total + 1));
}

/** Readers who have the work on a shelf. */
export function readinglogCount(counts: WorkCounts): number {
  return counts.wantToRead + counts.currentlyReading + counts.alreadyRead + counts.stoppedReading;
}

function at(ratings: WorkCounts["ratings"], star: number): number {
  return ratings[star - 1] ?? 0;
}

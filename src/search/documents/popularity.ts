import { readinglogCount } from "./ratings.ts";
import type { WorkCounts } from "./types.ts";

/** What popularity follows from. */
export interface PopularityInput {
  readonly edition_count: number;
  readonly counts: WorkCounts;
}

/** More readers than that make a work no more popular. */
const ALREADY_READ_COUNT_MAX = 50;

/** Factor of a work's text score (search.md 4.1 `boost`): 9.5 for the least known, some 270 for the best known. */
export function popularity({ edition_count: editions, counts }: PopularityInput): number {
  return (
    20 * Math.log10(3 + editions) +
    Math.min(ALREADY_READ_COUNT_MAX, counts.alreadyRead) +
    35 * Math.log10((4 + readinglogCount(counts)) / 4)
  );
}

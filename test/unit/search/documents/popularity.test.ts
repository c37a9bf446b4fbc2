import { expect, it } from "vitest";
import {
  USUAL,
  USUAL_BAND,
  popularityScoreOf,
  popularityBandOf,
  averageRatingOf,
  countRatings,
  sortableRatingOf,
} from "../../../../src/search/documents/popularity.ts";
import { NO_COUNTS } from "../../../../src/search/documents/types.ts";

it.each([
  [[0, 0, 0, 0, 0], 0, 2.0473720558371173],
  [[0, 0, 0, 0, 1], 5, 2.4036636531319644],
  [[0, 0, 0, 1, 1], 4.5, 2.61203319071753],
  [[2, 1, 3, 15, 25], 4.304347826086956, 3.9213285009677556],
  [[0, 0, 0, 0, 10], 5, 3.818855442651916],
  [[10, 0, 0, 0, 0], 1, 1.1521887759852496],
] as const)("the average of %o is %d and the sort value is %d", (ratings, average, sortable) => {
  expect([averageRatingOf(ratings), sortableRatingOf(ratings)]).toEqual([average, sortable]);
  expect(countRatings(ratings)).toBe(ratings.reduce((sum: number, count) => sum + count, 0));
});

it("works with one edition and no readers have no popularity in the index", () => {
  const others: number[] = [];
  for (const edition_count of [0, 1, 2, 3, 50]) {
    for (const wantToRead of [0, 1, 2, 9]) {
      for (const alreadyRead of [0, 1, 2, 60]) {
        const value = popularityScoreOf({ edition_count, counts: { ...NO_COUNTS, wantToRead, alreadyRead } });
        if (edition_count === 1 && wantToRead + alreadyRead === 0) expect(value).toBe(USUAL);
        else others.push(value);
      }
    }
  }
  expect(popularityBandOf(USUAL)).toBe(USUAL_BAND);
  expect(others.filter((value) => popularityBandOf(value) === USUAL_BAND)).toEqual([]);
  // The numbers that the index of all others has.
  expect([12, 12.499, 12.5, 11.999].map((value) => popularityBandOf(value) - USUAL_BAND)).toEqual([
    0, 0, -1, 1,
  ]);
});

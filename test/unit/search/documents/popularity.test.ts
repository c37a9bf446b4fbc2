import { expect, it } from "vitest";
import {
  popularity,
  popularityLevels,
  ratingsAverage,
  ratingsCount,
  ratingsSortable,
} from "../../../../src/search/documents/popularity.ts";
import { NO_COUNTS } from "../../../../src/search/documents/types.ts";

it.each([
  [[0, 0, 0, 0, 0], 0, 2.0473720558371173],
  [[0, 0, 0, 0, 1], 5, 2.4036636531319644],
  [[0, 0, 0, 1, 1], 4.5, 2.61203319071753],
  [[2, 1, 3, 15, 25], 4.304347826086956, 3.9213285009677556],
  [[0, 0, 0, 0, 10], 5, 3.818855442651916],
  [[10, 0, 0, 0, 0], 1, 1.1521887759852496],
] as const)("%o has the average %d and is sorted by %d, to the last digit", (ratings, average, sortable) => {
  expect([ratingsAverage(ratings), ratingsSortable(ratings)]).toEqual([average, sortable]);
  expect(ratingsCount(ratings)).toBe(ratings.reduce((sum: number, count) => sum + count, 0));
});

it("is the same of all works with editions that reach no level", () => {
  const unknown = new Set<number>();
  for (const edition_count of [1, 2, 3, 50]) {
    for (const wantToRead of [0, 1, 2, 9]) {
      for (const alreadyRead of [0, 1, 2, 60]) {
        const value = popularity({ edition_count, counts: { ...NO_COUNTS, wantToRead, alreadyRead } });
        if (popularityLevels(value) === 0) unknown.add(value);
      }
    }
  }
  expect([...unknown]).toEqual([popularity({ edition_count: 1, counts: NO_COUNTS })]);
});

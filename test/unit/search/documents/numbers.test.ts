import { describe, expect, it } from "vitest";
import {
  countReaders,
  popularityScoreOf,
  averageRatingOf,
  countRatings,
  LAST_BAND,
  maxEditionsOf,
  popularityBandOf,
  sortableRatingOf,
} from "../../../../src/search/documents/popularity.ts";
import { NO_COUNTS } from "../../../../src/search/documents/types.ts";
import { lexilesOf, medianPagesOf } from "../../../../src/search/documents/values.ts";

type Ratings = [number, number, number, number, number];

describe("ratings", () => {
  it.each<[Ratings, number]>([
    [[0, 0, 0, 0, 0], 2.047372],
    [[0, 0, 0, 0, 1], 2.403664],
    [[1, 0, 0, 0, 0], 1.736997],
    [[1, 0, 0, 0, 10], 3.543786],
    [[5, 5, 10, 40, 100], 4.234343],
    [[0, 0, 0, 0, 100], 4.820469],
  ])("%j sort as %d", (ratings, expected) => expect(sortableRatingOf(ratings)).toBeCloseTo(expected, 6));

  it("have a count and a mean", () => {
    expect(countRatings([1, 2, 3, 4, 5])).toBe(15);
    expect(averageRatingOf([1, 0, 0, 0, 1])).toBe(3);
    expect(averageRatingOf([0, 0, 0, 0, 0])).toBe(0);
  });
});

describe("popularityScoreOf", () => {
  it.each([
    [0, 0, 0, 9.542],
    [1, 0, 0, 12.041],
    [1, 1, 2, 19.204],
    [10, 5, 40, 63.728],
    [100, 50, 1000, 174.245],
    [3500, 400, 60_000, 267.053],
  ])("of %d editions, %d readers and %d on shelves is %d", (editions, read, shelved, expected) => {
    const counts = { ...NO_COUNTS, alreadyRead: read, wantToRead: shelved - read };
    expect(countReaders(counts)).toBe(shelved);
    expect(popularityScoreOf({ edition_count: editions, counts })).toBeCloseTo(expected, 3);
  });
});

describe("pages", () => {
  it.each([
    [[123, 122, "spam"], 123],
    [[123, 122, 1], 122],
    [["120", 100], 110],
    [[7], 7],
    [["spam", null, 1e300, "1e3"], undefined],
    [[-1, 0], 0],
    [[], undefined],
  ])("of %j have median %j", (pages, median) => {
    expect(medianPagesOf(pages.map((count) => ({ number_of_pages: count })))).toBe(median);
  });
});

describe("lexile", () => {
  it.each([
    [880, [880]],
    ["880", [880]],
    [
      ["880", 900.5, "x", 1e300],
      [880, 900],
    ],
    ["880L", []],
    [undefined, []],
  ])("%j is %j", (lexile, expected) => expect(lexilesOf({ lexile })).toEqual(expected));
});

describe("maxEditionsOf", () => {
  it.each(Array.from({ length: LAST_BAND - 1 }, (_band, at) => 2 + at))("band %d", (band) => {
    const bandOf = (editions: number): number =>
      popularityBandOf(popularityScoreOf({ edition_count: editions, counts: NO_COUNTS }));
    const most = maxEditionsOf(band);
    expect(bandOf(most)).toBeGreaterThanOrEqual(band);
    expect(bandOf(most + 1)).toBeLessThan(band);
    expect(most).toBeLessThan(maxEditionsOf(band - 1));
  });
});

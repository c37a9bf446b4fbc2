import { describe, expect, it } from "vitest";
import {
  NO_SLOTS,
  isQuiet,
  slotsAfter,
  trendOf,
  zScoreOf,
} from "../../../../src/search/documents/popularity.ts";

const days = (points: number): number[] => Array.from({ length: 7 }, () => points);

describe("the score of a trend", () => {
  it.each([
    [500, [0, 0, 0, 3, 0, 0, 0], 0],
    [29, days(1), 0],
    [30, days(2), 28],
    [50, [10, 12, 9, 11, 10, 8, 12], 16.6513],
    [0, days(10), -10],
    [0, days(0), 0],
  ])("of %i after %j is %d", (today, daily, score) => {
    expect(zScoreOf(today, daily)).toBeCloseTo(score, 4);
  });
});

describe("slots", () => {
  /** 2026-11-16 was a Monday. */
  const MONDAY = Date.parse("2026-11-16T00:00:00Z") / 3_600_000;

  it("hold the points of the last 24 hours", () => {
    let slots = NO_SLOTS;
    for (let hour = 0; hour < 30; hour += 1) slots = slotsAfter(slots, MONDAY + hour, hour);
    expect(slots.hourly.slice(0, 7)).toEqual([240, 250, 260, 270, 280, 290, 60]);
    expect(trendOf(slots).hourlySum).toBe(slots.hourly.reduce((sum, points) => sum + points, 0));
  });

  it("make a day of 24 hours, also when an hour is counted twice", () => {
    let slots = NO_SLOTS;
    for (let hour = 0; hour < 48; hour += 1) {
      slots = slotsAfter(slots, MONDAY + hour, 1);
      expect(slotsAfter(slots, MONDAY + hour, 1)).toEqual(slots);
    }
    expect(slots.daily).toEqual([240, 240, 0, 0, 0, 0, 0]);
    for (let hour = 48; hour < 9 * 24; hour += 1) slots = slotsAfter(slots, MONDAY + hour, 0);
    expect(slots.daily).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect([isQuiet(slots), trendOf(slots).slots]).toEqual([true, undefined]);
  });

  it("raise the score of a work that is busy again", () => {
    const busy = slotsAfter({ hourly: NO_SLOTS.hourly, daily: days(10) }, MONDAY, 5);
    expect(trendOf(busy)).toEqual({ hourlySum: 50, zScore: 40, slots: busy });
  });
});

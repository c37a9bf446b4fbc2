import { describe, expect, it } from "vitest";
import { STATS_DAYS, fillDays, periodOf } from "../../../src/worker/lending/loan-stats.ts";

const NOW = Date.parse("2026-03-02T23:59:59Z");

describe("periodOf", () => {
  it.each([
    ["1days", "2026-03-02", "2026-03-02", 1],
    ["30days", "2026-02-01", "2026-03-02", 30],
    [`${STATS_DAYS.max}days`, "2025-03-02", "2026-03-02", STATS_DAYS.max],
    ["20260101-20260131", "2026-01-01", "2026-01-31", 31],
    ["20240229-20240229", "2024-02-29", "2024-02-29", 1],
  ])("%s: %s to %s", (text, firstDay, lastDay, days) => {
    const period = periodOf(text, NOW);
    expect(period).toMatchObject({ firstDay, lastDay, from: Date.parse(firstDay) });
    expect(period && (period.to - period.from) / 86_400_000).toBe(days);
  });

  it.each([
    "",
    "days",
    "0days",
    "367days",
    "-1days",
    "30",
    "20260131-20260101",
    "20250101-20260301",
    "20260230-20260301",
    "20261301-20261302",
    "20260101",
  ])("%j is refused", (text) => {
    expect(periodOf(text, NOW)).toBeUndefined();
  });
});

it("fillDays includes days without counts", () => {
  const span = { from: Date.parse("2026-02-27"), to: Date.parse("2026-03-02") };
  expect(fillDays(span, new Map([["2026-02-28", 2]]))).toEqual([
    ["2026-02-27", 0],
    ["2026-02-28", 2],
    ["2026-03-01", 0],
  ]);
});

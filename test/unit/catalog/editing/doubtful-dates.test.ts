import { describe, expect, it } from "vitest";
import { findDoubtfulDates } from "../../../../src/catalog/editing/conflicts.ts";

const find = (date: string, stored?: string, isConfirmed = false) =>
  findDoubtfulDates(
    { key: "/books/OL1M", document: stored === undefined ? {} : { publish_date: stored } },
    { publish_date: date },
    { thisYear: 2026, isConfirmed },
  ).map(({ text }) => text.key);

describe("findDoubtfulDates", () => {
  it.each([
    ["1999", []],
    ["2028", []],
    ["2031", ["edit.future_date"]],
    ["May 2031", ["edit.future_date"]],
    ["1853-13", ["edit.no_such_day"]],
    ["1999-00", ["edit.no_such_day"]],
    ["1999-02-30", ["edit.no_such_day"]],
    ["2000-02-29", []],
    ["1999-12", []],
    ["1853-54", []],
    ["1853-1913", []],
    ["sixteen hundred", ["edit.no_year"]],
    ["", []],
  ])("%j", (date, expected) => {
    expect(find(date)).toEqual(expected);
  });

  it("accepts a date that is stored already, or confirmed", () => {
    expect(find("2031", "2031")).toEqual([]);
    expect(find("2031", undefined, true)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { findDateFlaw, formatEventDate, readTypedDate } from "../../../../src/catalog/patrons/event-date.ts";

describe("dates of check-ins", () => {
  it.each([
    [{ year: 2026 }, "2026"],
    [{ year: 5, month: 1 }, "0005-01"],
    [{ year: 2026, month: 5, day: 1 }, "2026-05-01"],
    [{ year: 2026, month: null, day: 7 }, "2026"],
    [{ year: 9999, month: 12, day: 31 }, "9999-12-31"],
  ])("Q216: %o is %s", (date, text) => {
    expect(formatEventDate(date)).toBe(text);
  });

  it("require an existing day of a month", () => {
    expect(findDateFlaw({ year: 2026, day: 1 })).toBe("validation.month_required");
    for (const year of [1, 1900, 2000, 2023, 2024, 2100]) {
      for (let month = 1; month <= 12; month += 1) {
        for (let day = 1; day <= 31; day += 1) {
          const date = new Date(Date.UTC(2000, 0, 1));
          date.setUTCFullYear(year, month - 1, day);
          const exists = date.getUTCMonth() === month - 1;
          expect([year, month, day, findDateFlaw({ year, month, day })]).toEqual([
            year,
            month,
            day,
            exists ? undefined : "validation.calendar_date",
          ]);
        }
      }
    }
  });
});

describe("readTypedDate", () => {
  it.each([
    ["2026", ["2026"]],
    ["2026-05", ["2026-05"]],
    ["2026/5/7", ["2026-05-07"]],
    ["10.5.2026", ["2026-05-10"]],
    ["25/12/2026", ["2026-12-25"]],
    ["12/25/2026", ["2026-12-25"]],
    ["12/03/2026", ["2026-03-12", "2026-12-03"]],
    [" 3-3-2026 ", ["2026-03-03"]],
    ["2023-02-29", []],
    ["2026-13", []],
    ["2026-00", []],
    ["0000", []],
    ["24", []],
    ["10 May 2026", ["2026-05-10"]],
    ["May 10th, 2026", ["2026-05-10"]],
    ["mai 2026", ["2026-05"]],
    ["10 de mayo de 2026", ["2026-05-10"]],
    ["10. Mai 2026", ["2026-05-10"]],
    ["10 مايو 2026", ["2026-05-10"]],
    ["31 February 2026", []],
    ["ca. May 2026", []],
    ["Today", ["2026-03-01"]],
    [" yesterday", ["2026-02-28"]],
    ["gestern", ["2026-02-28"]],
    ["sixteen hundred", []],
    ["", []],
  ])("reads %j as %j", (text, dates) => {
    expect(readTypedDate(text, Date.UTC(2026, 2, 1, 12))).toEqual(dates);
  });
});

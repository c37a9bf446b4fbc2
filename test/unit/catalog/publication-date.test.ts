import { describe, expect, it } from "vitest";
import {
  type PublicationDate,
  earliestDateOf,
  formatIsoDate,
  parseDate,
  publicationYearOf,
} from "../../../src/catalog/publication-date.ts";

const about = { certainty: "approximate" } as const;
const doubtful = { certainty: "questionable" } as const;
const japanese = { calendar: "Japanese" } as const;

describe("parseDate", () => {
  it.each<[string, PublicationDate | undefined]>([
    ["1999", { year: 1999 }],
    ["[1999]", { year: 1999 }],
    ["c1999.", { year: 1999 }],
    ["©2004", { year: 2004 }],
    ["p1999", { year: 1999 }],
    ["c1999, 2001", { year: 2001 }],
    ["2001 printing, c1999", { year: 2001 }],
    ["Another 2000", { year: 2000 }],
    ["1980, 1990", { year: 1980 }],
    ["Spring 1999", { year: 1999 }],
    ["１９９９", { year: 1999 }],
    ["١٩٩٩", { year: 1999 }],
    ["0868", { year: 868 }],
    ["A.D. 868", { year: 868 }],
  ])("reads the year of %j", (text, date) => expect(parseDate(text)).toEqual(date));

  it.each<[string, PublicationDate]>([
    ["1999?", { year: 1999, ...doubtful }],
    ["ca. 1850", { year: 1850, ...about }],
    ["c. 1850", { year: 1850, ...about }],
    ["1999~", { year: 1999, ...about }],
    ["1850 or 1851", { year: 1850, lastYear: 1851, ...doubtful }],
    ["between 1850 and 1860?", { year: 1850, lastYear: 1860, ...doubtful }],
    ["1999-2001", { year: 1999, lastYear: 2001 }],
    ["c1998-c2001", { year: 1998, lastYear: 2001 }],
    ["1999/2000", { year: 1999, lastYear: 2000 }],
    ["1999/00", { year: 1999, lastYear: 2000 }],
    ["1998-99", { year: 1998, lastYear: 1999 }],
    ["1999-", { year: 1999 }],
    ["-1999", { year: 1999 }],
    ["1999-9999", { year: 1999 }],
    ["[19--]", { year: 1900, lastYear: 1999, ...about }],
    ["[18--?]", { year: 1800, lastYear: 1899, ...doubtful }],
    ["199-?", { year: 1990, lastYear: 1999, ...doubtful }],
    ["19uu", { year: 1900, lastYear: 1999, ...about }],
    ["1uuu", { year: 1000, lastYear: 1999, ...about }],
    ["1990s", { year: 1990, lastYear: 1999, ...about }],
    ["19th century", { year: 1800, lastYear: 1899, ...about }],
    ["[18--]-1901", { year: 1800, lastYear: 1901, ...about }],
    ["1950-199u", { year: 1950, lastYear: 1999, ...about }],
    ["18uu-19uu", { year: 1800, lastYear: 1999, ...about }],
    ["[1850 or 51]", { year: 1850, lastYear: 1851, ...doubtful }],
    ["19[85]", { year: 1985 }],
    ["[19]85", { year: 1985 }],
    ["198[-]", { year: 1980, lastYear: 1989, ...about }],
  ])("reads the span or certainty of %j", (text, date) => expect(parseDate(text)).toEqual(date));

  it.each<[string, PublicationDate]>([
    ["1999-05-05", { year: 1999, month: 5, day: 5 }],
    ["1999/1/1", { year: 1999, month: 1, day: 1 }],
    ["1999-02", { year: 1999, month: 2 }],
    ["1999-13-03", { year: 1999 }],
    ["05/1999", { year: 1999, month: 5 }],
    ["14/9/1829", { year: 1829, month: 9, day: 14 }],
    ["3.2.1999", { year: 1999, month: 2, day: 3 }],
    ["3/2/1999", { year: 1999 }],
    ["May 5, 1999", { year: 1999, month: 5, day: 5 }],
    ["3rd February 1999", { year: 1999, month: 2, day: 3 }],
    ["Feb. 1999", { year: 1999, month: 2 }],
    ["2004 May 23", { year: 2004, month: 5, day: 23 }],
    ["1 août 1999", { year: 1999, month: 8, day: 1 }],
    ["enero de 1999", { year: 1999, month: 1 }],
    ["Marburg, 1999", { year: 1999 }],
    ["2006年3月", { year: 2006, month: 3 }],
    ["二〇〇六年十二月三日", { year: 2006, month: 12, day: 3 }],
  ])("reads the day of %j", (text, date) => expect(parseDate(text)).toEqual(date));

  it.each<[string, PublicationDate]>([
    ["Heisei 3", { year: 1991, ...japanese }],
    ["平成3年", { year: 1991, ...japanese }],
    ["平成十三年五月", { year: 2001, month: 5, ...japanese }],
    ["令和元年", { year: 2019, ...japanese }],
    ["Shōwa 50", { year: 1975, ...japanese }],
    ["Meiji 33 [1900]", { year: 1900, ...japanese }],
    ["Taisho 3", { year: 1914, ...japanese }],
    ["民國88年", { year: 1999, calendar: "Minguo" }],
    ["พ.ศ. ๒๕๔๒", { year: 1999, calendar: "Buddhist" }],
    ["1405 H. [1985]", { year: 1985, calendar: "Islamic" }],
    ["١٤٠٥ هـ", { year: 1984, lastYear: 1985, ...doubtful, calendar: "Islamic" }],
    ["5744 [1983 or 1984]", { year: 1983, lastYear: 1984, ...doubtful, calendar: "Hebrew" }],
    ["744 [1983 or 1984]", { year: 1983, lastYear: 1984, ...doubtful, calendar: "Hebrew" }],
    ["an VII [1798 or 1799]", { year: 1798, lastYear: 1799, ...doubtful }],
    ["1697 [i.e. 1967]", { year: 1967 }],
    ["1850 [reprinted 1970]", { year: 1850 }],
    ["MDCCXLV", { year: 1745 }],
    ["M.DCC.XLV.", { year: 1745 }],
    ["Anno MDCLXXXIIII", { year: 1684 }],
    ["400 B.C.", { year: -399 }],
    ["400-300 av. J.-C.", { year: -399, lastYear: -299 }],
    ["公元前400年", { year: -399 }],
    ["-0399", { year: -399 }],
  ])("reads the calendar of %j", (text, date) => expect(parseDate(text)).toEqual(date));

  it.each([
    ..."9999 8858 5744 0000 199 19999 19990101 12345 n.d. [n.d.] ???? MIX mild".split(" "),
    "",
    "Bad date 123412314",
    "5th century B.C.",
  ])("reads no year in %j", (text) => expect(parseDate(text)).toBeUndefined());

  it("reads no year after the latest", () => {
    expect(parseDate("2029", 2028)).toBeUndefined();
    expect(parseDate("May 2029", 2028)).toBeUndefined();
    expect(parseDate("Reiwa 20", 2028)).toBeUndefined();
    expect(parseDate("c2027, 2207", 2028)).toEqual({ year: 2027 });
  });

  it.each(["-", "1-", "1 [", "m.", "1000 ", "[1", "c", "前", "十", "i.e. "])("ends for many %j", (piece) => {
    expect(() => parseDate(piece.repeat(100_000))).not.toThrow();
  });
});

describe("publicationYearOf", () => {
  const time = (value: string) => ({ type: "/type/datetime", value });
  it.each([
    [{ publish_date: "2013", last_modified: time("2011-01-01T00:00:00") }, 2013],
    [{ publish_date: "2014", last_modified: time("2011-01-01T00:00:00") }, undefined],
    [{ publish_date: "2014", created: "2012-01-01T00:00:00" }, 2014],
    [{ publish_date: 1999 }, 1999],
    [{ publish_date: ["1999", "2000"] }, 1999],
    [{ publish_date: { type: "/type/text", value: "1999" } }, 1999],
    [{}, undefined],
  ])("of %j is %j", (record, year) => expect(publicationYearOf(record)).toBe(year));
});

it("the earliest year is not one of unknown digits, if there is another", () => {
  const unknown = { year: 1900, lastYear: 1999, ...about };
  expect(earliestDateOf([unknown, { year: 1955, ...doubtful }, { year: 1960 }])?.year).toBe(1955);
  expect(earliestDateOf([unknown])).toBe(unknown);
  expect(earliestDateOf([])).toBeUndefined();
});

it("dates are written with their known parts", () => {
  expect(formatIsoDate({ year: 983 })).toBe("0983");
  expect(formatIsoDate({ year: -399 })).toBe("-0399");
  expect(formatIsoDate({ year: 1999, month: 2 })).toBe("1999-02");
  expect(formatIsoDate({ year: 1999, month: 2, day: 3 })).toBe("1999-02-03");
});

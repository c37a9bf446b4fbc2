import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

/** Dates of the only edition of works, from the earliest year to works without a year. */
const DATES = ["400 B.C.", "MDCCXLV", "[19--]", "c1955", "平成3年", "1999-2001", "9999", "8858", "n.d."];

beforeAll(async () => {
  const works = DATES.flatMap((date, at) => [
    work(at + 1, { title: "Chronicle", subjects: ["Time"] }),
    edition(at + 1, { work: at + 1, publish_date: date }),
  ]);
  await service.load(...works);
  await indexAll();
});

interface Found {
  docs: { key: string; first_publish_year?: number; publish_date: string[] }[];
}
const search = async (query: string) =>
  (Object(await service.json(`/search.json?${query}&fields=key,first_publish_year,publish_date`)) as Found)
    .docs;
const dates = async (query: string) => (await search(query)).map(({ publish_date: [date] }) => date);

describe("years of publication", () => {
  it("are known to documents, which keep the date as it was written", async () => {
    const years = new Map(
      (await search("q=chronicle")).map(({ publish_date: [date], first_publish_year: year }) => [date, year]),
    );
    expect(DATES.map((date) => years.get(date))).toEqual([
      -399,
      1745,
      1900,
      1955,
      1991,
      1999,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("order works, those without a year last", async () => {
    expect((await dates("q=chronicle&sort=old")).slice(0, 6)).toEqual(DATES.slice(0, 6));
    expect((await dates("q=chronicle&sort=new")).slice(0, 6)).toEqual(DATES.slice(0, 6).toReversed());
  });

  it.each([
    ["first_publish_year:[* TO 1800]", ["400 B.C.", "MDCCXLV"]],
    ["publish_year:[1990 TO 1995]", ["平成3年"]],
    ["publish_year:[-500 TO -300]", ["400 B.C."]],
    ["publish_year:9999", []],
  ])("find works by %s", async (query, found) => {
    expect(await dates(`q=${encodeURIComponent(query)}&sort=old`)).toEqual(found);
  });

  it.each([
    ["/search.bib?q=chronicle&sort=old", / year = \{(.*)\}/g],
    ["/sru?recordSchema=dc&query=dc.title=chronicle sortBy dc.date", /<dc:date>(.*?)<\/dc:date>/g],
  ])("are exported with unknown digits by %s", async (path, pattern) => {
    const text = await (await service.fetch(encodeURI(path))).text();
    const years = [...text.matchAll(pattern)].map(([, year]) => year);
    expect(years.slice(1)).toEqual([
      "1745",
      expect.stringMatching(/^1900(?:--|\/)1999$/),
      "1955",
      "1991",
      "1999",
    ]);
  });

  it("are counted by subject", async () => {
    const { publishing_history: history } = Object(await service.json("/subjects/time.json?details=true"));
    expect(history).toEqual([1745, 1900, 1955, 1991, 1999].map((year) => [year, 1]));
  });
});

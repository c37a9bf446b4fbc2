// Q792 to Q795: weaker readings of a search that finds nothing.
import { beforeAll, describe, expect, it } from "vitest";
import { foundKeys } from "../../support/worker/books.ts";
import { indexAll } from "../../support/worker/indexing.ts";
import { hrefs, textOf } from "../../support/worker/page-text.ts";
import { author, edition, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const AUTHORS = [
  "Charlotte Brontë",
  "Emily Brontë",
  "Neil Gaiman",
  "Terry Pratchett",
  "Suzanne Collins",
  "André Malraux",
];
const BOOKS: Record<string, { title: string; authors?: number[]; series?: object[] }> = {
  1: { title: "Jane Eyre", authors: [1] },
  2: { title: "Wuthering Heights", authors: [2] },
  3: { title: "Good Omens", authors: [3, 4] },
  4: {
    title: "The Hunger Games",
    authors: [5],
    series: [{ series: { key: "/series/OL1L" }, position: "1" }],
  },
  5: { title: "Catching Fire", authors: [5], series: [{ series: { key: "/series/OL1L" }, position: "2" }] },
  6: { title: "Green Eggs and Ham" },
  7: { title: "La condition humaine", authors: [6] },
  8: { title: "War and Peace" },
  9: { title: "Time: a Guide" },
  10: { title: "Author: the Life" },
  11: { title: "Преступление и наказание" },
  12: { title: "Étranger" },
  13: { title: "Naruto, Vol. 01" },
  14: { title: "Not Jane, but Eyre" },
  15: { title: "Naruto, Vol. 02" },
};

beforeAll(async () => {
  await service.load(
    ...AUTHORS.map((name, at) => author(at + 1, { name })),
    ...Object.entries(BOOKS).map(([id, members]) => work(Number(id), members)),
    { key: "/series/OL1L", type: "/type/series", name: "The Hunger Games" },
    edition(71, { work: 7, title: "La condition humaine", languages: [{ key: "/languages/eng" }] }),
    edition(72, { work: 7, title: "La condición humana", isbn_13: ["9780140328721"], publish_date: "1990" }),
    edition(73, {
      work: 7,
      title: "Man's Fate",
      languages: [{ key: "/languages/ger" }],
      publish_date: "1950",
    }),
    edition(111, { work: 11, title: "Crime and Punishment" }),
  );
  await indexAll();
});

const search = async (parameters: Record<string, string>, more = "&fields=key") => {
  const response = await service.fetch(`/search.json?${new URLSearchParams(parameters)}${more}`);
  expect(response.status).toBe(200);
  const { docs } = await response.json<{ docs: { key: string; editions?: object }[] }>();
  return { docs, corrected: decodeURIComponent(response.headers.get("X-Corrected-Query") ?? "") };
};

const ROWS: readonly (readonly [
  parameters: Record<string, string>,
  work: number | undefined,
  corrected: string,
])[] = [
  [{ q: "Jane Eyre - Charlotte Brontë" }, 1, "Jane Eyre Charlotte Brontë"],
  [{ q: "Charlotte Brontë - Jane Eyre" }, 1, "Charlotte Brontë Jane Eyre"],
  [{ q: "- Jane Eyre" }, 1, "Jane Eyre"],
  [{ q: "Time: a Guide" }, 9, "Time a Guide"],
  [{ q: "Author: the Life" }, 10, "Author the Life"],
  [{ q: "The Green Eggs and Ham" }, 6, "Green Eggs and Ham"],
  [{ title: "Der Green Eggs and Ham" }, 6, "Green Eggs and Ham"],
  [{ q: "L’Étranger" }, 12, "Étranger"],
  [{ q: "The Hunger Games #1" }, 4, "The Hunger Games 1"],
  [{ q: "The Hunger Games, Book Two" }, 5, "The Hunger Games 2"],
  [{ title: "The Hunger Games vol. 1", author: "S. Collins" }, 4, "The Hunger Games 1 Suzanne Collins"],
  [{ q: "Naruto Volume 1" }, 13, "Naruto 1"],
  [{ q: "Naruto Volume 2" }, 15, "Naruto 2"],
  [{ q: "Jane Eyre, Book 1" }, 1, "Jane Eyre"],
  [{ q: "Jane Eyre: A Novel" }, 1, "Jane Eyre"],
  [{ q: "Jane Eyre unabridged" }, 1, "Jane Eyre"],
  [
    { title: "Good Omens", author: "Neil Gaiman and Terry Pratchett" },
    3,
    "Good Omens Neil Gaiman Terry Pratchett",
  ],
  [{ title: "Good Omens", author: "T. Pratchett with Jane Doe" }, 3, "Good Omens Terry Pratchett Jane Doe"],
  [{ author: "Neil Gaiman with Terry Pratchett" }, 3, "Neil Gaiman Terry Pratchett"],
  [{ q: "Omens Good by N. Gaiman and T. Pratchett" }, 3, "Omens Good Gaiman Pratchett"],
  [{ author: "C. Brontë", title: "Jane Eyre" }, 1, "Jane Eyre Charlotte Brontë"],
  [{ author: "E. Brontë", title: "Jane Eyre" }, undefined, ""],
  [{ author: "Suzanne M. Collins", title: "Catching Fire" }, 5, "Catching Fire Suzanne Collins"],
  [{ q: 'title:"Jane Eyre" author:"C. Brontë"' }, 1, "Jane Eyre Charlotte Brontë"],
  [{ title: "Jane Eyre by Charlotte Brontë" }, 1, "Jane Eyre Brontë"],
  [{ title: "La condición humana" }, 7, "La condición humana"],
  [{ q: "OL1W" }, 1, "key:/works/OL1W"],
  [{ q: "https://books.example/works/OL1W/Jane_Eyre" }, 1, "key:/works/OL1W"],
  [{ q: "/isbn/9780140328721" }, 7, "isbn:9780140328721"],
  [{ q: "war an peace" }, 8, "war and peace"],
  [{ q: "crime and punishmnet" }, 11, "crime and punishment"],
  // Searches that find works as typed have no other reading.
  [{ q: "eyre -jane" }, undefined, ""],
  [{ q: "eyre - charlotte" }, 14, ""],
  [{ q: "The Hunger Games 2" }, 5, ""],
];

describe("GET /search.json", () => {
  it.each(ROWS)("%j", async (parameters, id, corrected) => {
    const { docs, corrected: told } = await search(parameters);
    expect([docs[0]?.key, told]).toEqual([id && `/works/OL${id}W`, corrected]);
    // The facets are those of the works found.
    const facets = await service.fetch(
      `/search/facets.json?${new URLSearchParams(parameters)}&field=has_fulltext`,
    );
    expect(decodeURIComponent(facets.headers.get("X-Corrected-Query") ?? "")).toBe(corrected);
  });

  it("has the edition with the title first", async () => {
    const { docs } = await search({ title: "La condición humana" }, "&fields=key,editions,editions.key");
    expect(docs).toMatchObject([{ editions: { numFound: 1, docs: [{ key: "/books/OL72M" }] } }]);
  });

  it.each([
    ["key:/books/OL72M", ["/works/OL7W"]],
    ['key:"/isbn/9780140328721"', ["/works/OL7W"]],
    ["key:(/books/OL72M OR /works/OL1W)", ["/works/OL1W", "/works/OL7W"]],
    ["key:/books/OL1M", []],
  ])("%s", async (q, keys) => {
    expect(await foundKeys(service, String(new URLSearchParams({ q, sort: "key" })))).toEqual(keys);
  });

  it("accepts the key of a language", async () => {
    expect(await foundKeys(service, "q=condition&language=/languages/ger")).toEqual(["/works/OL7W"]);
    expect(await foundKeys(service, "q=condition+language:%22/languages/spa%22")).toEqual([]);
  });

  it("makes at most four further calls", async () => {
    for (const parameters of [
      { q: "The zzxxy and qqwwx, Book 3 - by A. N. Other" },
      { title: "The zzxxy: qqwwx (Book 2)", author: "C. Brontë and T. Pratchett" },
      ...ROWS.map(([typed]) => typed),
    ]) {
      await service.fetch("/search.json?q=warm");
      const headers = { "X-Carrel-Count": "1" };
      const response = await service.fetch(`/search.json?${new URLSearchParams(parameters)}&fields=key`, {
        headers,
      });
      const [, calls = "9"] = /search=(\d+)/.exec(response.headers.get("X-Carrel-Calls") ?? "") ?? [];
      expect(Number(calls), JSON.stringify(parameters)).toBeLessThanOrEqual(5);
    }
  });
});

it("GET /search says what it shows, and links to it", async () => {
  const headers = { Accept: "text/html" };
  const page = await service.fetch("/search?title=Jane+Eyre:+A+Novel&author=Charlotte", { headers });
  const html = await page.text();
  expect(textOf(html)).toContain("Showing results for “Jane Eyre”.");
  expect(hrefs(html)).toContain("/search?q=Jane+Eyre&author=Charlotte");
});

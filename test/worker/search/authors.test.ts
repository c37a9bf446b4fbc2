import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();

interface Answer {
  numFound: number;
  start: number;
  numFoundExact: boolean;
  docs: Record<string, unknown>[];
}
const search = async (query: string): Promise<Answer> => {
  const response = await service.fetch(`/search/authors.json?${query}`);
  expect(response.status).toBe(200);
  return response.json<Answer>();
};
const keys = async (query: string): Promise<unknown[]> => (await search(query)).docs.map(({ key }) => key);

beforeAll(async () => {
  await service.load(
    author(1, {
      name: "Mark Twain",
      alternate_names: ["Samuel Clemens", "Sieur Louis de Conte"],
      birth_date: "30 November 1835",
      death_date: "21 April 1910",
    }),
    author(2, { name: "Twain Mark", birth_date: "1900" }),
    author(3, { name: "Mark Twain Society" }),
    author(4, { name: "Gabriel García Márquez", birth_date: "6 March 1927" }),
    author(5, {
      name: "J. R. R. Tolkien",
      remote_ids: {
        wikidata: "Q36322",
        isni: "0000 0001 2144 1970",
        viaf: "https://viaf.org/viaf/95218067",
        gnd: "4079163-4",
      },
    }),
    author(6, { name: "Conan O'Brien" }),
    author(7, { name: "Clemens Twain of Mark" }),
    work(11, { authors: [1], title: "Adventures of Huckleberry Finn", subjects: ["Fiction", "Boys"] }),
    work(12, { authors: [1, 4], title: "Two", subjects: ["Fiction"], subject_places: ["Missouri"] }),
    work(13, { authors: [7], title: "Three" }),
    work(14, { authors: [7], title: "Four" }),
    work(15, { authors: [7], title: "Five" }),
  );
  await indexAll();
});

describe("GET /search/authors.json", () => {
  it.each([
    "Q36322",
    "q36322",
    "http://www.wikidata.org/entity/Q36322",
    "wikidata:Q36322",
    "0000 0001 2144 1970",
    "0000000121441970",
    "ISNI 0000-0001-2144-1970",
    "95218067",
    "viaf:95218067",
    "(VIAF)95218067",
    "4079163-4",
    "remote_ids:Q36322",
  ])("finds an author by a number in another catalog: %s", async (q) => {
    expect(await keys(new URLSearchParams({ q }).toString())).toEqual(["OL5A"]);
  });

  it("returns the numbers of authors with their schemes", async () => {
    const { docs } = await search("q=Q36322&fields=remote_ids");
    const numbers = ["wikidata:Q36322", "isni:0000000121441970", "viaf:95218067", "gnd:4079163-4"];
    expect(docs).toEqual([{ remote_ids: numbers }]);
    expect(await keys("q=Q3632")).toEqual([]);
  });

  it("returns documents with bare keys, counts and subjects of works", async () => {
    const { docs, ...head } = await search("q=clemens+conte");
    expect(head).toEqual({ numFound: 1, start: 0, numFoundExact: true });
    expect(docs).toEqual([
      {
        key: "OL1A",
        type: "author",
        name: "Mark Twain",
        alternate_names: ["Samuel Clemens", "Sieur Louis de Conte"],
        birth_date: "30 November 1835",
        death_date: "21 April 1910",
        top_subjects: expect.arrayContaining(["Fiction", "Boys", "Missouri"]),
        top_work: "Adventures of Huckleberry Finn",
        work_count: 2,
        ratings_average: 0,
        ratings_sortable: expect.closeTo(2.047372, 5),
        ratings_count: 0,
        ratings_count_1: 0,
        ratings_count_2: 0,
        ratings_count_3: 0,
        ratings_count_4: 0,
        ratings_count_5: 0,
        want_to_read_count: 0,
        already_read_count: 0,
        currently_reading_count: 0,
        stopped_reading_count: 0,
        readinglog_count: 0,
      },
    ]);
  });

  it.each([
    ["q=mark+twain", ["OL1A", "OL3A", "OL7A", "OL2A"]],
    ["q=twain+mark", ["OL2A", "OL7A", "OL1A", "OL3A"]],
    ["q=%22mark+twain%22", ["OL1A", "OL3A"]],
    ["q=MÁRQUEZ", ["OL4A"]],
    ["q=jrr+tolkien", ["OL5A"]],
    ["q=tolk*", ["OL5A"]],
    ["q=mark+OR+tolkien&sort=name", ["OL7A", "OL5A", "OL1A", "OL3A", "OL2A"]],
    ["q=mark+NOT+society&sort=name", ["OL7A", "OL1A", "OL2A"]],
    ["q=name:society", ["OL3A"]],
    ["q=alternate_names:clemens", ["OL1A"]],
    ['q=key:"/authors/OL4A"', ["OL4A"]],
    ["q=birth_date:1835", ["OL1A"]],
    ["q=birth_date:*&sort=birth_date+asc", ["OL2A", "OL1A", "OL4A"]],
    ["q=work_count:[2+TO+*]&sort=work_count+desc", ["OL7A", "OL1A"]],
    ["q=work_count:1", ["OL4A"]],
    ["q=*:*&sort=work_count+desc&limit=3", ["OL7A", "OL1A", "OL4A"]],
    ["q=*:*+NOT+birth_date:*&sort=name", ["OL7A", "OL6A", "OL5A", "OL3A"]],
    ["q=mark&sort=name&limit=2", ["OL7A", "OL1A"]],
    ["q=mark&sort=name&limit=2&page=2", ["OL3A", "OL2A"]],
    ["q=nobody", []],
    ["q=!!!", []],
  ])("%s", async (query, expected) => {
    expect(await keys(query)).toEqual(expected);
  });

  it("projects fields, with or without the key", async () => {
    expect((await search("q=key:OL4A&fields=key,name")).docs).toEqual([
      { key: "OL4A", name: "Gabriel García Márquez" },
    ]);
    expect((await search("q=key:OL4A&fields=birth*")).docs).toEqual([{ birth_date: "6 March 1927" }]);
  });

  it("sorts randomly, stable for a seed and across pages", async () => {
    const all = await keys("q=*:*&sort=random_x");
    expect(await keys("q=*:*&sort=random_x")).toEqual(all);
    expect(await keys("q=*:*&sort=random_x+desc")).toEqual(all.toReversed());
    const pages = [
      await keys("q=*:*&sort=random_x&limit=4"),
      await keys("q=*:*&sort=random_x&limit=4&page=2"),
    ];
    expect(pages.flat()).toEqual(all);
    const orders = new Set(
      await Promise.all(
        ["a", "b", "c", "d"].map(async (seed) => String(await keys(`q=*:*&sort=random_${seed}`))),
      ),
    );
    expect(orders.size).toBeGreaterThan(1);
    const response = await service.fetch("/search/authors.json?q=mark&sort=random");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  it("refuses unknown sorts and invalid numbers", async () => {
    const response = await service.fetch("/search/authors.json?q=mark&sort=editions&limit=-1");
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      detail: [
        {
          type: "value_error",
          loc: ["query", "sort"],
          msg:
            "Value error, Invalid sort option: 'editions'. Valid options are: work_count desc, name, " +
            "birth_date asc, birth_date desc, random, random asc, random desc, random.hourly, random.daily, " +
            "random_, random.hourly_, random.daily_",
          input: "editions",
          ctx: { error: {} },
        },
        {
          type: "greater_than_equal",
          loc: ["query", "limit"],
          msg: "Input should be greater than or equal to 0",
          input: "-1",
          ctx: { ge: 0 },
        },
      ],
    });
  });
});

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { queriesOf } from "../../support/worker/queries.ts";
import { author, deleted, edition, redirected, work } from "../../support/worker/records.ts";
import { documentOf, testService } from "../../support/worker/service.ts";
import { countedDatabase } from "../../support/worker/statements.ts";

const { database, statements } = countedDatabase(env.CATALOG);
const service = testService({ CATALOG: database });
const { rows, keys, plainKeys } = queriesOf(service);

const E = "/type/edition";
const W = "/type/work";
const EDITION = edition(1, {
  work: 1,
  title: "Rivers",
  number_of_pages: 100,
  links: [{ title: "one", url: "http://a" }],
  notes: { type: "/type/text", value: "n" },
  scan_on_demand: false,
});

beforeAll(async () => {
  await service.load(
    EDITION,
    edition(2, { work: 99, title: "Dangling" }),
    edition(3, { work: 7, title: "To a redirect" }),
    edition(4, { work: 8, title: "To a deleted one" }),
    work(1, { authors: [1, 2], title: "The work", cover_edition: { key: "/books/OL1M" } }),
    author(1, { name: "Ann", bio: "a" }),
    author(2, { name: "Bob" }),
    redirected("/works/OL7W", "/works/OL1W", 1),
    deleted("/works/OL8W", 1),
  );
});

describe("selected members", () => {
  it.each([
    [{}, { key: "/books/OL1M" }],
    [{ subtitle: null }, { key: "/books/OL1M", subtitle: null }],
    [{ scan_on_demand: null }, { key: "/books/OL1M", scan_on_demand: false }],
    [
      { title: null, type: E, "a:title~": "Riv*" },
      { key: "/books/OL1M", title: "Rivers" },
    ],
    [
      { constructor: null, toString: null },
      { key: "/books/OL1M", constructor: null, toString: null },
    ],
    [{ "*": null }, documentOf(EDITION)],
    [
      { "*": null, subtitle: null },
      { ...documentOf(EDITION), subtitle: null },
    ],
  ])("%j", async (selection, expected) => {
    const [row] = await rows({ key: "/books/OL1M", ...selection });
    expect(row).toEqual(expected);
    expect(Object.keys(row!)[0]).toBe("key");
  });

  it("may be called __proto__", async () => {
    const query = encodeURIComponent('{"key":"/books/OL1M","__proto__":null,"title":null}');
    const text = await (await service.fetch(`/query.json?query=${query}`)).text();
    expect(text).toBe('[{"key":"/books/OL1M","__proto__":null,"title":"Rivers"}]');
  });

  it("are the empty plain parameters", async () => {
    const response = await service.json("/query.json?key=/books/OL1M&title=&subtitle=&*=");
    expect(response).toEqual([{ ...documentOf(EDITION), subtitle: null }]);
  });
});

describe("members of referenced records", () => {
  it.each([
    [{ works: { title: null } }, [{ key: "/works/OL1W", title: "The work" }]],
    [{ works: { nothing: null } }, [{ key: "/works/OL1W", nothing: null }]],
    [
      { works: { title: null, authors: { author: { name: null } } } },
      [
        {
          key: "/works/OL1W",
          title: "The work",
          authors: [
            { author: { key: "/authors/OL1A", name: "Ann" } },
            { author: { key: "/authors/OL2A", name: "Bob" } },
          ],
        },
      ],
    ],
    [
      { works: { cover_edition: { works: { key: null } } } },
      [{ key: "/works/OL1W", cover_edition: { key: "/books/OL1M", works: [{ key: "/works/OL1W" }] } }],
    ],
  ])("%j", async (selection, works) => {
    expect(await rows({ key: "/books/OL1M", ...selection })).toEqual([{ key: "/books/OL1M", works }]);
  });

  it("may be all members", async () => {
    const [row] = await rows({ key: "/books/OL1M", works: { "*": null } });
    expect(row!["works"]).toEqual([await service.json("/works/OL1W.json")]);
  });

  it("are read from embedded objects", async () => {
    const [row] = await rows({ key: "/works/OL1W", authors: { author: { name: null }, role: null } });
    expect(row!["authors"]).toEqual([
      { author: { key: "/authors/OL1A", name: "Ann" }, role: null },
      { author: { key: "/authors/OL2A", name: "Bob" }, role: null },
    ]);
    const [links] = await rows({ key: "/books/OL1M", links: { url: null, other: null } });
    expect(links!["links"]).toEqual([{ url: "http://a", other: null }]);
  });

  it.each([
    ["/books/OL2M", [{ key: "/works/OL99W" }]],
    ["/books/OL3M", [{ key: "/works/OL7W", title: null }]],
    ["/books/OL4M", [{ key: "/works/OL8W", title: null }]],
  ])("of %s are null for missing and redirected records", async (key, works) => {
    expect(await rows({ key, works: { title: null } })).toEqual([{ key, works }]);
  });

  it("leave other values unchanged", async () => {
    expect(await rows({ key: "/books/OL1M", title: { a: null }, number_of_pages: { b: null } })).toEqual([
      { key: "/books/OL1M", title: "Rivers", number_of_pages: 100 },
    ]);
  });

  it("take one statement a step", async () => {
    const works = Array.from({ length: 60 }, (_, index) => work(100 + index, { authors: [100 + index] }));
    const authors = works.map((_, index) => author(100 + index));
    await service.load(...works, ...authors);
    statements.length = 0;
    const found = await rows({
      type: W,
      "key>": "/works/OL1",
      limit: 100,
      authors: { author: { name: null } },
    });
    expect(found).toHaveLength(61);
    expect(JSON.stringify(found)).toContain('"name":"Author 159"');
    // The rows, and whether the walk was cut off; then the authors.
    expect(statements).toHaveLength(3);
  });
});

describe("order and paging", () => {
  const numbers = Array.from({ length: 30 }, (_, index) => index + 1000);
  beforeAll(async () => {
    const modified = (id: number) => `2026-11-10T00:00:${String(59 - (id % 7)).padStart(2, "0")}.000000`;
    const editions = numbers.map((id) =>
      edition(id, { ocaid: "x", number_of_pages: id % 3, modified: modified(id), subtitle: `s${id % 2}` }),
    );
    await service.load(...editions.toReversed());
  });
  const all = { type: E, ocaid: "x" };
  const key = (id: number): string => `/books/OL${id}M`;

  it("default to 20 records by number", async () => {
    expect(await keys(all)).toEqual(numbers.slice(0, 20).map(key));
  });

  it.each([
    [{ limit: 1000 }, numbers],
    [{ limit: "25" }, numbers.slice(0, 25)],
    [{ limit: 0 }, []],
    [{ limit: "many" }, numbers.slice(0, 20)],
    [{ limit: [5] }, numbers.slice(0, 20)],
    [{ limit: 5, offset: 27 }, numbers.slice(27)],
    [{ limit: 5, offset: "3" }, numbers.slice(3, 8)],
    [{ limit: 5, offset: "x" }, numbers.slice(0, 5)],
    [{ offset: 1e12 }, []],
    [{ limit: 3, offset: 1, sort: "-key" }, [1028, 1027, 1026]],
  ])("%j", async (page, expected) => {
    expect(await keys({ ...all, ...page })).toEqual(expected.map(key));
  });

  it.each(["last_modified", "number_of_pages", "subtitle"])("sort by %s in both directions", async (sort) => {
    for (const [direction, factor] of [
      ["", 1],
      ["-", -1],
    ] as const) {
      const found = await rows({ ...all, limit: 1000, sort: direction + sort, [sort]: null });
      const values = found.map((row) => textOf(row[sort]));
      const inOrder = values.toSorted((a, b) => factor * (Number(a > b) - Number(a < b)));
      expect(values).toEqual(inOrder);
      expect(new Set(found.map((row) => row["key"])).size).toBe(numbers.length);
    }
  });

  it("group records without the property", async () => {
    const found = await keys({ ...all, sort: "nothing", limit: 1000 });
    expect(found).toEqual(numbers.map(key));
  });

  it("work for plain parameters", async () => {
    expect(await plainKeys("type=/type/edition&ocaid=x&limit=2&offset=1&sort=-key")).toEqual([
      key(1028),
      key(1027),
    ]);
  });
});

function textOf(value: unknown): string {
  return JSON.stringify(Object(value).value ?? value);
}

import { beforeAll, describe, expect, it } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { author, authorKey, edition, work, workKey } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
type Row = Record<string, unknown>;
const rows = async (path: string): Promise<Row[]> => {
  const response = await service.fetch(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  return response.json<Row[]>();
};
const keys = async (path: string) => (await rows(path)).map(({ key }) => key);

beforeAll(async () => {
  await service.load(
    author(1, { name: "Jane Austen", alternate_names: ["A Lady"], birth_date: "1775" }),
    author(2, { name: "Jane Austen Society" }),
    author(3, { name: "Austen Jane" }),
    author(4, { name: "José Saramago" }),
    author(5, { name: "Jose Saramago" }),
    author(6, { name: "Conan O'Brien" }),
    { key: "/series/OL10L", type: "/type/series", name: "Bright Falls" },
    { key: "/series/OL11L", type: "/type/series", name: "The Bright Sea" },
    { key: "/series/OL13L", type: "/type/series", name: "Silver Rivers" },
    {
      key: "/people/ann/lists/OL12L",
      type: "/type/list",
      name: "Bright books",
      seeds: [{ key: workKey(1) }],
    },
    work(1, {
      title: "Foo Bar",
      subtitle: "Baz",
      authors: [1],
      covers: [7],
      subjects: ["Universities", "Foo fighting"],
    }),
    work(2, { title: "Foo Baz", authors: [2], subjects: ["Universities"], subject_places: ["Fooville"] }),
    work(3, { title: "Bar Foo", subject_people: ["Foo, John"] }),
    work(4, { title: "The Universal Libraries" }),
    work(5, { title: "Foo" }),
    work(6, { title: "C++ Primer" }),
    work(7, { title: "Ärger", series: [{ series: { key: "/series/OL13L" }, position: "1" }] }),
    edition(1, { work: 1, publish_date: "1999" }),
    edition(2, { work: 2 }),
    edition(3, { work: 2 }),
    edition(4, { work: 3 }),
    edition(5, { work: 3 }),
    edition(6, { work: 3 }),
    edition(7, { title: "Foo orphan" }),
  );
  await indexAll();
  await service.loadUnindexed(
    work(20, { title: "Late", subtitle: "Night" }),
    author(20, { name: "Late Author", death_date: "1999" }),
    { key: "/series/OL20L", type: "/type/series", name: "Late Series" },
  );
});

describe("GET /works/_autocomplete", () => {
  it("returns the fields that forms show", async () => {
    expect(await rows("/works/_autocomplete?q=foo+bar")).toEqual([
      {
        key: "/works/OL1W",
        title: "Foo Bar",
        subtitle: "Baz",
        cover_i: 7,
        first_publish_year: 1999,
        author_name: ["Jane Austen"],
        edition_count: 1,
        full_title: "Foo Bar: Baz",
        name: "Foo Bar",
      },
      expect.objectContaining({ key: "/works/OL3W", full_title: "Bar Foo", name: "Bar Foo" }),
    ]);
  });

  it.each([
    ["foo", [5, 2, 1, 3]],
    ["fo", [2, 1, 5, 3]],
    ["foo b", [2, 1, 3]],
    ["bar f", [3, 1]],
    ["universit", []],
    ["universa", [4]],
    ["libraries", [4]],
    ["c++ pri", [6]],
    ["arg", [7]],
    ["xyz", []],
    ["univrsal libraries", [4]],
    ["the universal libarries", [4]],
    ["univresal li", [4]],
    ["the unversa", [4]],
    ["universal xyzzyx", []],
    ['title:"foo', []],
    ["OL2W", [2]],
    ["https://openlibrary.org/works/OL2W/Foo_Baz", [2]],
    ["OL99W", []],
    ["OL1A", []],
  ])("%j", async (q, expected) => {
    expect(await keys(`/works/_autocomplete?q=${encodeURIComponent(q)}`)).toEqual(expected.map(workKey));
  });

  it("reads the record of a number that is not indexed", async () => {
    expect(await rows("/works/_autocomplete.json?q=OL20W")).toEqual([
      { key: "/works/OL20W", title: "Late", subtitle: "Night", full_title: "Late: Night", name: "Late" },
    ]);
  });

  it.each([
    ["limit=2", 2],
    ["limit=x", 4],
    ["limit=5000", 4],
  ])("%s", async (limit, count) => {
    expect(await keys(`/works/_autocomplete?q=foo&${limit}`)).toHaveLength(count);
  });
});

describe("GET /authors/_autocomplete", () => {
  it("returns the fields that forms show", async () => {
    expect(await rows("/authors/_autocomplete?q=a+lad")).toEqual([
      {
        key: "/authors/OL1A",
        name: "Jane Austen",
        alternate_names: ["A Lady"],
        birth_date: "1775",
        work_count: 1,
        works: ["Foo Bar: Baz"],
        subjects: expect.arrayContaining(["Universities"]),
      },
    ]);
  });

  it.each([
    ["jane austen", [1, 2, 3]],
    ["austen ja", [3, 1, 2]],
    ["jose saramago", [5, 4]],
    ["josé saramago", [4, 5]],
    ["o'br", [6]],
    ["jane austin", [1, 2, 3]],
    ["jane asuten", [1, 2, 3]],
    ["Austin, Jane", [3, 1, 2]],
    ["Jane Aosten, 1775-1817", [1, 2, 3]],
    ["", []],
    ["OL4A", [4]],
  ])("%j", async (q, expected) => {
    expect(await keys(`/authors/_autocomplete?q=${encodeURIComponent(q)}`)).toEqual(expected.map(authorKey));
  });

  it("returns the exact name first for limit=1", async () => {
    expect(await keys("/authors/_autocomplete?q=jose%20saramago&limit=1")).toEqual([authorKey(5)]);
    expect(await keys("/authors/_autocomplete?q=Jos%C3%A9%20Saramago&limit=1")).toEqual([authorKey(4)]);
  });

  it("reads the record of a number that is not indexed", async () => {
    expect(await rows("/authors/_autocomplete.json?q=/authors/OL20A")).toEqual([
      {
        key: "/authors/OL20A",
        type: "author",
        name: "Late Author",
        death_date: "1999",
        work_count: 0,
        works: [],
        subjects: [],
      },
    ]);
  });
});

describe("correct=false", () => {
  it.each([
    "/works/_autocomplete?q=univrsal",
    "/authors/_autocomplete?q=jane+austin",
    "/_autocomplete?q=univrsal",
  ])("%s finds no other spelling", async (path) => {
    expect(await keys(path)).not.toEqual([]);
    expect(await keys(`${path}&correct=false`)).toEqual([]);
  });

  it("is a boolean", async () => {
    expect((await service.fetch("/works/_autocomplete?q=foo&correct=perhaps")).status).toBe(422);
  });
});

describe("GET /series/_autocomplete", () => {
  it.each([
    ["bright", ["/series/OL10L", "/series/OL11L"]],
    ["bright f", ["/series/OL10L"]],
    ["slivre riv", ["/series/OL13L"]],
    ["https://openlibrary.org/series/OL10L/Bright_Falls", ["/series/OL10L"]],
    ["OL20L", ["/series/OL20L"]],
    ["", []],
  ])("%j", async (q, expected) => {
    const found = await rows(`/series/_autocomplete?q=${encodeURIComponent(q)}`);
    expect(found.map(({ key }) => key)).toEqual(expected);
    for (const row of found) expect(Object.keys(row)).toEqual(["key", "name"]);
  });
});

describe("GET /subjects_autocomplete", () => {
  it("returns subjects by number of works", async () => {
    expect(await rows("/subjects_autocomplete?q=universit")).toEqual([
      { key: "/subjects/universities", name: "Universities", work_count: 2 },
    ]);
    expect(await keys("/subjects_autocomplete?limit=1")).toEqual(["/subjects/universities"]);
  });

  it.each([
    ["q=foo&type=place", ["/subjects/place:fooville"]],
    ["q=foo&type=subject", ["/subjects/foo_fighting"]],
    ["type=place", ["/subjects/place:fooville"]],
  ])("%s", async (query, expected) => {
    expect(await keys(`/subjects_autocomplete?${query}`)).toEqual(expected);
  });
});

describe("GET /_autocomplete", () => {
  it("finds all kinds of documents", async () => {
    const found = await rows("/_autocomplete?q=bright&limit=10");
    expect(found).toEqual([
      { key: "/people/ann/lists/OL12L", type: "list", name: "Bright books", score: expect.any(Number) },
      { key: "/series/OL10L", type: "series", name: "Bright Falls", score: expect.any(Number) },
      { key: "/series/OL11L", type: "series", name: "The Bright Sea", score: expect.any(Number) },
    ]);
    const foo = await rows("/_autocomplete.json?q=foo&limit=10");
    expect(foo[0]).toEqual({
      key: workKey(5),
      type: "work",
      title: "Foo",
      name: "Foo",
      score: expect.any(Number),
    });
    expect(foo.map(({ type }) => type)).toContain("subject");
    const scores = foo.map(({ score }) => Number(score));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(await rows("/_autocomplete?q=")).toEqual([]);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { queriesOf } from "../../support/worker/queries.ts";
import { author, deleted, edition, language, redirected, work } from "../../support/worker/records.ts";
import { testService } from "../../support/worker/service.ts";

const service = testService();
const { keys, plainKeys } = queriesOf(service);

const modified = (day: number): { modified: string } => ({
  modified: `2026-11-0${day}T12:00:00.500000`,
});

beforeAll(async () => {
  await service.load(
    edition(1, {
      ...modified(1),
      work: 1,
      title: "Rivers",
      publishers: ["Acme", "Bell"],
      number_of_pages: 100,
      languages: [{ key: "/languages/eng" }],
      identifiers: { amazon: ["B000000001"], "better.world": ["x"] },
      authors: [{ key: "/authors/OL1A" }],
      links: [
        { title: "one", url: "http://a" },
        { title: "two", url: "http://b" },
      ],
      contributors: [{ role: "Editor", name: "Ann" }],
      notes: { type: "/type/text", value: "A note" },
      description: "A bare note",
      scan_on_demand: true,
      covers: [7, 8],
      weight: "1.5",
      price: 1.5,
      odd: { flag: false, nothing: null },
    }),
    edition(2, { ...modified(2), work: 1, title: "rivers", publishers: ["Bell"], number_of_pages: 90 }),
    edition(3, { ...modified(3), work: 2, title: "Rivers and Lakes", number_of_pages: 1000, covers: [-1] }),
    edition(4, { ...modified(4), title: "100", publishers: [], ocaid: "rivers00" }),
    work(1, {
      ...modified(5),
      authors: [1, 2],
      title: "Rivers",
      number_of_editions: 2,
      original_languages: [{ key: "/languages/fre" }],
      series: [{ series: { key: "/series/OL1L" }, position: "1" }],
    }),
    work(2, { ...modified(6), authors: [2], title: "Lakes", links: [{ title: "one", url: "http://b" }] }),
    author(1, {
      name: "Ann",
      alternate_names: ["Annie"],
      birth_date: "1900",
      death_date: "1950",
      remote_ids: { wikidata: "Q1" },
      eastern_order: true,
    }),
    author(2, { name: "Bob", birth_date: "1900", alternate_names: ["Ann", "Bobby"] }),
    language("eng", "English"),
    deleted("/works/OL8W", 1),
    redirected("/works/OL9W", "/works/OL1W", 1),
  );
});

const E = "/type/edition";
const [M1, M2, M3, M4] = ["/books/OL1M", "/books/OL2M", "/books/OL3M", "/books/OL4M"];
const [W1, W2] = ["/works/OL1W", "/works/OL2W"];

describe("equality", () => {
  it.each([
    [{ type: E, title: "Rivers" }, [M1]],
    [{ type: { key: E }, title: "Rivers" }, [M1]],
    [{ type: E, "title=": "Rivers" }, [M1]],
    [{ type: E, publishers: "Bell" }, [M1, M2]],
    [{ type: E, publishers: ["Acme", "Nobody"] }, [M1]],
    [{ type: E, number_of_pages: 100 }, [M1]],
    [{ type: E, number_of_pages: "100" }, [M1]],
    [{ type: E, number_of_pages: "many" }, []],
    [{ type: E, works: "/works/OL1W" }, [M1, M2]],
    [{ type: E, works: ["/works/OL1W", { key: "/works/OL2W" }] }, [M1, M2, M3]],
    [{ type: E, covers: 8 }, [M1]],
    [{ type: E, covers: [-1, 7] }, [M1, M3]],
    [{ type: E, "identifiers.amazon": "B000000001" }, [M1]],
    [{ type: E, identifiers: { amazon: "B000000001" } }, [M1]],
    [{ type: E, "identifiers.better.world": "x" }, [M1]],
    [{ type: E, "links.url": "http://b" }, [M1]],
    // Q819: own authors, and those of the work.
    [{ type: E, authors: "/authors/OL1A" }, [M1, M2]],
    [{ type: E, authors: { key: "/authors/OL2A" } }, [M1, M2, M3]],
    [{ type: E, authors: ["/authors/OL1A", "/authors/OL2A"], title: "Rivers" }, [M1]],
    [{ type: E, authors: "/authors/OL2A", key: M3 }, [M3]],
    [{ type: "/type/work", "authors.author": { key: "/authors/OL2A" } }, [W1, W2]],
    [{ type: "/type/work", authors: { author: { key: "/authors/OL1A" } } }, [W1]],
    [{ type: "/type/work", "series.series": { key: "/series/OL1L" } }, [W1]],
    [{ type: "/type/author", alternate_names: "Ann" }, ["/authors/OL2A"]],
    [{ key: "/works/OL1W" }, [W1]],
    [{ key: "/works/OL1W", type: E }, []],
    [{ type: ["/type/work", "/type/language"] }, ["/languages/eng", W1, W2]],
  ])("%j", async (query, expected) => {
    expect(await keys(query)).toEqual(expected);
  });
});

describe("values of another kind", () => {
  it.each([
    { type: E, title: 100 },
    { type: E, weight: 1.5 },
    { type: E, price: 1.5 },
    { type: E, "price>": 1 },
    { type: E, title: { key: "rivers" } },
    // Lookup values of imports in the same index are not references either.
    { type: "/type/author", alternate_names: { key: "annie" } },
    { type: "/type/author", name_years: { key: "ann 1900 1950" } },
    { type: "/type/work", author_title: { key: "/authors/OL1A work1" } },
    { type: E, scan_on_demand: true },
    { type: E, "odd.nothing": 0 },
    { type: E, covers: "8" },
    { type: "/type/work", "series.series": "/series/OL1L" },
    { type: E, notes: "A note" },
    { key: 5 },
    { type: E, "created>": 5 },
  ])("do not match: %j", async (query) => {
    expect(await keys(query)).toEqual([]);
  });

  it("match bare strings in text members", async () => {
    expect(await keys({ type: E, description: "A bare note" })).toEqual([M1]);
  });

  it.each<Record<string, unknown>>([
    { type: E, nothing: "x" },
    { type: "/type/nothing", title: "Rivers" },
    { type: E, "publishers.0": "Acme" },
  ])("do not match unknown names: %j", async (query) => {
    expect(await keys(query)).toEqual([]);
  });
});

describe("operators", () => {
  it.each([
    [{ "number_of_pages!=": 100 }, [M2, M3]],
    [{ "number_of_pages<=": 100 }, [M1, M2]],
    [{ "number_of_pages>=": 100 }, [M1, M3]],
    [{ "a:number_of_pages>": 90, "b:number_of_pages<": 1000 }, [M1]],
    [{ "works!=": "/works/OL1W" }, [M3]],
    [{ "languages!=": { key: "/languages/eng" } }, []],
    [{ "key>=": "/books/OL3M" }, [M3, M4]],
    [{ "last_modified>": "2026-11-03" }, [M3, M4]],
    [{ "last_modified>": "2026-11-03 12:00:00.500000" }, [M4]],
    [{ "a:last_modified>": "2026-11-02", "b:last_modified<": "2026-11-04" }, [M2, M3]],
    [{ "created<": "2026-11-01" }, []],
  ])("%j", async (condition, expected) => {
    expect(await keys({ type: E, ...condition })).toEqual(expected);
  });
});

describe("conditions on one element", () => {
  it.each([
    [{ type: E, links: { title: "one", url: "http://a" } }, [M1]],
    [{ type: E, links: { title: "one", url: "http://b" } }, []],
    [{ type: E, links: { title: "two", "url!=": "http://a" } }, [M1]],
    [{ type: E, links: { "title~": "t*", url: "http://b" } }, [M1]],
    [{ type: E, "links.title": "one", "links.url": "http://b" }, [M1]],
    [{ type: E, contributors: { role: "Editor", name: ["Ann", "Bob"] } }, [M1]],
    [{ type: "/type/work", series: { series: { key: "/series/OL1L" }, position: "2" } }, []],
    [{ type: "/type/work", links: { title: "one" } }, [W2]],
  ])("%j", async (query, expected) => {
    expect(await keys(query)).toEqual(expected);
  });
});

describe("deleted and redirected records", () => {
  it.each([
    [{ type: "/type/delete" }, ["/works/OL8W"]],
    [{ type: "/type/redirect" }, ["/works/OL9W"]],
    [{ key: ["/works/OL8W", "/works/OL9W"] }, ["/works/OL8W", "/works/OL9W"]],
    [{ "key~": "/works/*" }, [W1, W2, "/works/OL8W", "/works/OL9W"]],
  ])("are found by type or without one only: %j", async (query, expected) => {
    expect(await keys(query)).toEqual(expected);
  });
});

describe("plain parameters", () => {
  it.each([
    ["type=/type/edition&works=/works/OL1W", [M1, M2]],
    ["type=/type/edition&number_of_pages>=100", [M3]],
    ["type=/type/edition&number_of_pages%3E%3D=100", [M1, M3]],
    ["type=/type/edition&title~=Rivers*", [M1, M3]],
    ["type=/type/edition&last_modified>=2026-11-03", [M3, M4]],
    ["type=/type/edition&title=Rivers&_comment=x&_=1", [M1]],
    ["type=/type/edition&title=Rivers&text=false", [M1]],
    ["type=/type/edition&title=Rivers&publishers=", [M1]],
  ])("%s", async (search, expected) => {
    expect(await plainKeys(search)).toEqual(expected);
  });

  it("are ignored beside a JSON query", async () => {
    const query = encodeURIComponent(JSON.stringify({ type: E, title: "Rivers" }));
    expect(await plainKeys(`query=${query}&number_of_pages=90&limit=0`)).toEqual([M1]);
  });
});

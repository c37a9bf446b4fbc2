import { describe, expect, it } from "vitest";
import { INDEXED_VALUE_LENGTH, indexRowsOf } from "../../../src/catalog/index-rows.ts";
import { idRangeOf } from "../../../src/catalog/key-numbers.ts";
import type { CatalogRecord } from "../../../src/catalog/record.ts";

const properties = (record: CatalogRecord): string[] =>
  indexRowsOf(record, "OL").properties.map(({ name, value }) => `${name}=${value}`);

const work = (members: CatalogRecord): CatalogRecord => ({
  key: "/works/OL1W",
  type: { key: "/type/work" },
  ...members,
});
const edition = (members: CatalogRecord): CatalogRecord => ({
  key: "/books/OL1M",
  type: { key: "/type/edition" },
  ...members,
});

describe("properties", () => {
  it("index references by dotted path without array indexes", () => {
    const authors = [{ type: { key: "/type/author_role" }, author: { key: "/authors/OL1A" } }];
    const series = [{ series: { key: "/series/OL1L" }, position: "1" }];
    expect(properties(work({ authors, series }))).toEqual([
      "authors.author=/authors/OL1A",
      "series.series=/series/OL1L",
    ]);
  });

  it("index list members and subjects", () => {
    const seeds = [
      { key: "/works/OL1W" },
      "subject:love",
      { thing: { key: "/b/OL2M" }, notes: "why" },
      "place:france",
      "subject:love",
      "no seed",
    ];
    const list = { key: "/lists/OL1L", type: { key: "/type/list" }, seeds };
    expect(properties(list)).toEqual([
      "seeds=/works/OL1W",
      "seeds.thing=/books/OL2M",
      "seeds=subject:love",
      "seeds=place:france",
    ]);
    expect(properties(work({ seeds: ["subject:love"] }))).toEqual([]);
  });

  it("skip types, languages and times", () => {
    const languages = [{ key: "/languages/eng" }];
    expect(
      properties(
        edition({ languages, translated_from: languages, links: [{ type: { key: "/type/link" } }] }),
      ),
    ).toEqual([]);
  });

  it("name a value once", () => {
    expect(properties(edition({ works: [{ key: "/works/OL1W" }, { key: "/works/OL1W" }] }))).toEqual([
      "works=/works/OL1W",
    ]);
  });

  it("normalize titles and names", () => {
    expect(properties(work({ title: "The Émile and Zoé" }))).toEqual(["title=emilezoe"]);
    expect(properties({ type: { key: "/type/author" }, name: "A  Name" })).toEqual(["name=name"]);
  });

  it("index identifiers of works and authors, and those of editions separately", () => {
    const identifiers = { "booklocker.com": ["12 "] };
    expect(properties(work({ identifiers }))).toEqual(["identifiers.booklocker.com=12"]);
    expect(properties({ type: { key: "/type/author" }, remote_ids: { viaf: "9" } })).toEqual([
      "remote_ids.viaf=9",
    ]);
    expect(
      properties({ type: { key: "/type/author" }, remote_ids: { isni: "0000 0001 2162 2683" } }),
    ).toEqual(["remote_ids.isni=0000 0001 2162 2683", "remote_ids.isni=0000000121622683"]);
    const rows = indexRowsOf(edition({ identifiers }), "OL");
    expect(rows.properties).toEqual([]);
    expect(rows.identifiers).toEqual([{ kind: "booklocker.com", value: "12" }]);
  });

  it("name each of very many values once", () => {
    const values = Array.from({ length: 50_000 }, (_, index) => `v${index}`);
    expect(properties(work({ identifiers: { librarything: [...values, ...values] } }))).toHaveLength(
      values.length,
    );
  });

  it("skip values above the limit", () => {
    expect(properties(work({ cover: { key: `/${"x".repeat(INDEXED_VALUE_LENGTH)}` } }))).toEqual([]);
  });

  it("stop at a maximum depth", () => {
    let nested: CatalogRecord = { key: "/works/OL2W" };
    for (let depth = 0; depth < 50; depth += 1) nested = { below: nested };
    expect(properties(work({ nested }))).toEqual([]);
  });
});

describe("languages", () => {
  const languages = [{ key: "/languages/eng" }, { key: "/languages/eng" }, { key: "/languages/fre" }];

  it("have a row per language with the work's number", () => {
    const rows = indexRowsOf(edition({ languages, works: [{ key: "/works/OL7W" }] }), "OL").languages;
    expect(rows.map(({ language }) => language)).toEqual(["eng", "fre"]);
    expect(rows[0]?.workId).toBe(idRangeOf("W").from + 7);
  });

  it.each([
    [{ identifiers: { project_gutenberg: ["1342"] }, ocaid: "scan" }, true, undefined],
    [{ ocaid: "scan" }, false, "scan"],
    [{ providers: [{ url: "https://example.org", access: "buy" }], ocaid: "scan" }, false, undefined],
    [{}, false, undefined],
  ])("tell whether %j is open", (members, open, ocaid) => {
    expect(indexRowsOf(edition({ languages, ...members }), "OL").languages[0]).toMatchObject({ open, ocaid });
  });
});

it.each(["/type/delete", "/type/redirect"])("%s has no rows", (type) => {
  const record = {
    type: { key: type },
    title: "x",
    works: [{ key: "/works/OL1W" }],
    isbn_10: ["0451526538"],
  };
  expect(indexRowsOf(record, "OL")).toEqual({ properties: [], identifiers: [], languages: [] });
});

describe("rows for import lookups", () => {
  const author = (members: CatalogRecord): CatalogRecord => ({ type: { key: "/type/author" }, ...members });

  it("have authors by other names, and by last name and years", () => {
    const record = author({
      name: "William Brewer",
      alternate_names: ["The Bréwer", "Brewer, W.", "brewer, w."],
      birth_date: "14 September 1829",
      death_date: "1910",
    });
    expect(properties(record)).toEqual([
      "name=williambrewer",
      "alternate_names=brewer",
      "alternate_names=brewer,w.",
      "name_years=brewer 1829 1910",
    ]);
    expect(properties(author({ name: "William Brewer", birth_date: "1829" }))).toEqual([
      "name=williambrewer",
    ]);
  });

  it("have works by author and title", () => {
    const authors = [
      { author: { key: "/authors/OL1A" } },
      { author: { key: "/a/OL2A" } },
      { role: "Editor" },
    ];
    expect(properties(work({ title: "The Long Title [Remark]", authors }))).toEqual([
      "title=longtitle[remark]",
      "authors.author=/authors/OL1A",
      "authors.author=/authors/OL2A",
      "author_title=/authors/OL1A longtitle",
      "author_title=/authors/OL2A longtitle",
    ]);
    expect(properties(edition({ title: "Title", authors: [{ key: "/authors/OL1A" }] }))).toEqual([
      "title=title",
      "authors=/authors/OL1A",
    ]);
  });
});

import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { editionLookups, lookupsOf } from "../../../../src/import/records/record-lookups.ts";
import { POOL_EDITIONS, poolEditions, matchEdition } from "../../../../src/import/records/match.ts";
import { foundIn } from "../../../support/import/found.ts";
import { author, authors, edition, redirect, roles, work } from "../../../support/import/records.ts";

/** Key of the edition that a record is matched with. */
function matched(record: CatalogRecord, ...records: CatalogRecord[]): string | undefined {
  const full = { title: "Some title", source_records: ["x:1"], authors: [], ...record };
  return matchEdition(full, foundIn(records, lookupsOf(full)))?.key;
}

function pool(record: CatalogRecord, ...records: CatalogRecord[]): string[] {
  const full = { source_records: ["x:1"], ...record };
  const found = foundIn(records, lookupsOf(full));
  return poolEditions(full, editionLookups(full), found).map(({ key }) => key);
}

describe("quick match", () => {
  /** Ways to an edition, the first one first: what a record and the edition have in common. */
  const WAYS: readonly [string, CatalogRecord, CatalogRecord][] = [
    ["its number", { openlibrary: "OL1M" }, {}],
    ["the scan", { ocaid: "scan" }, { ocaid: "scan" }],
    ["an ISBN", { isbn_10: ["0140328726"] }, { isbn_13: ["978-0140328721"] }],
    [
      "a retailer's number",
      { identifiers: { amazon: ["0140328726", "B00A"] } },
      { identifiers: { amazon: ["B00A"] } },
    ],
    ["the first source", { source_records: ["ia:src", "x:1"] }, { source_records: ["y:1", "ia:src"] }],
    ["the first OCLC number", { oclc_numbers: ["ocm0017", "18"] }, { oclc_numbers: ["17"] }],
    ["the first LCCN", { lccn: ["62000298"] }, { lccn: ["62-298"] }],
  ];
  const others = (ways: typeof WAYS, number: number): CatalogRecord[] =>
    ways.map(([, , members], index) => edition(number + index, { title: "Other", ...members }));

  it.each(WAYS.map(([name], index) => [name, index] as const))(
    "prefers %s to the rules after it",
    (_, index) => {
      const ways = WAYS.slice(index);
      const record = Object.assign({}, ...ways.map(([, members]) => members));
      const [first, ...rest] = others(ways, index + 1);
      // The one that it should be has the highest number; `openlibrary` is about its number.
      const best = index === 0 ? first : { ...first, key: "/books/OL90M" };
      // By way of the title there is always something in the pool.
      const stored = [edition(50, { title: "Some title" }), ...rest, best ?? {}];
      expect(matched(record, ...stored)).toBe(best?.["key"]);
    },
  );

  it.each<[string, CatalogRecord, CatalogRecord]>([
    ["a second OCLC number", { oclc_numbers: ["18", "17"] }, { oclc_numbers: ["17"] }],
    ["a second LCCN", { lccn: ["62000299", "62000298"] }, { lccn: ["62000298"] }],
    ["a second source", { source_records: ["x:1", "ia:src"] }, { source_records: ["ia:src"] }],
    ["a source that is no scan", { source_records: ["x:1"] }, { source_records: ["x:1"] }],
    ["a number that there is not", { openlibrary: "OL2M" }, {}],
  ])("takes no notice of %s", (_, record, members) => {
    expect(
      matched(record, edition(1, { title: "Other", ...members }), edition(7, { title: "Some title" })),
    ).toBeUndefined();
  });

  it("needs a candidate in the pool", () => {
    const stored = edition(1, { title: "Other", identifiers: { amazon: ["B00A"] } });
    const record = { source_records: ["amazon:B00A"], openlibrary: "OL1M" };
    expect(matched(record, stored)).toBeUndefined();
    expect(matched(record, stored, edition(2, { title: "Some Title" }))).toBe("/books/OL1M");
  });

  it("takes the lowest number, follows redirects and skips deleted editions", () => {
    const isbn = { isbn_10: ["0140328726"] };
    const stored = [edition(100, isbn), edition(20, { title: "Nothing like it", ...isbn })];
    expect(matched(isbn, ...stored)).toBe("/books/OL20M");
    const found = foundIn(stored, lookupsOf({ title: "T", ...isbn }));
    const moved = foundIn(
      [
        redirect("/books/OL20M", "/books/OL30M"),
        edition(30),
        { key: "/books/OL100M", type: { key: "/type/delete" } },
      ],
      lookupsOf({ title: "T", ...isbn }),
    );
    // A merge since the lookup.
    expect(matchEdition({ title: "T", ...isbn }, { ...moved, hits: found.hits })?.key).toBe("/books/OL30M");
  });

  it("compares Wikisource records by page alone", () => {
    const source = { source_records: ["x:1", "wikisource:en:Page"], isbn_10: ["0140328726"] };
    const same = edition(1, { title: "Some title", isbn_10: ["0140328726"] });
    const page = edition(2, { title: "Other", identifiers: { wikisource: ["en:Page"] } });
    expect(matched(source, same)).toBeUndefined();
    expect(matched(source, same, page)).toBe("/books/OL2M");
    expect(matched({ ...source, openlibrary: "OL1M" }, same, page)).toBe("/books/OL1M");
    expect(matched({ ...source, openlibrary: "OL1M" }, same)).toBeUndefined();
  });
});

describe("pool", () => {
  it("has each edition once, in the order of the lookups", () => {
    const stored = [
      edition(1, { title: "X", isbn_10: ["0140328726"], lccn: ["62000298"] }),
      edition(2, { title: "the élan vital", ocaid: "scan" }),
      edition(3, { title: "X", lccn: ["62000298"] }),
      edition(4, { title: "X", oclc_numbers: ["17"] }),
      edition(5, { title: "THE ELAN VITAL" }),
      edition(6, { title: "The Élan Vital (2nd)" }),
      edition(7, { title: "The Élan Vital" }),
    ];
    const record = {
      title: "The Élan Vital (2nd)",
      isbn_13: ["9780140328721"],
      lccn: ["62000298"],
      oclc_numbers: ["1", "17"],
      ocaid: "scan",
    };
    expect(pool(record, ...stored).map((key) => Number(key.slice(9, -1)))).toEqual([6, 4, 1, 3, 2, 5, 7]);
  });

  it("is empty for a title that is only an article", () => {
    expect(pool({ title: "A " }, edition(1, { title: "A ", source_records: ["x:1"] }))).toEqual([]);
  });

  it("excludes works and authors with that title", () => {
    expect(pool({ title: "A" }, work(1, { title: "A" }), author(1, "A"))).toEqual([]);
    expect(pool({ title: "..." }, edition(1, { title: "" }))).toEqual([]);
  });

  it("has the hundred lowest editions of each lookup", () => {
    const stored = Array.from({ length: POOL_EDITIONS + 50 }, (_, index) =>
      edition(200 - index, { title: index % 2 === 0 ? "Poems" : "poems" }),
    );
    const keys = pool({ title: "Poems" }, ...stored);
    expect(keys.slice(0, 75).every((key) => Number(key.slice(9, -1)) % 2 === 0)).toBe(true);
    expect(keys).toHaveLength(125);
    expect(new Set(keys).size).toBe(125);
  });
});

describe("match by points", () => {
  const AUTHOR = author(1, "John Smith");

  it("takes the first edition with enough points", () => {
    const common = {
      title: "Finding Existing",
      subtitle: "sub",
      publishers: ["Black Spot"],
      works: [{ key: "/works/OL16W" }],
    };
    const stored = [
      edition(16, common),
      edition(17, { ...common, publish_date: "Jan 09, 2011", publish_country: "usa" }),
      work(16, { title: "Finding Existing", authors: roles(1) }),
      AUTHOR,
    ];
    const record = {
      title: "Finding Existing",
      subtitle: "sub",
      authors: [{ name: "John Smith" }],
      publishers: ["Black Spot substring match"],
      publish_date: "Jan 09, 2011",
      publish_country: "usa",
      isbn_10: ["1250144051"],
    };
    expect(matched(record, ...stored)).toBe("/books/OL17M");
  });

  it("needs more than a title", () => {
    const stored = edition(1, { title: "Test item", lccn: ["12345678"] });
    expect(matched({ title: "Test item", lccn: ["87654321"] }, stored)).toBeUndefined();
  });

  it("compares the current authors of work and edition", () => {
    const common = { title: "Spoon River Anthology", publish_date: "1915" };
    const record = { ...common, authors: [{ name: "EDGAR LEE MASTERS." }] };
    const masters = author(5, "Edgar Lee Masters");
    expect(matched(record, edition(1, { ...common, authors: authors(5) }), masters)).toBe("/books/OL1M");
    expect(
      matched(
        record,
        edition(1, common),
        work(1, { authors: roles(4) }),
        redirect("/authors/OL4A", "/authors/OL5A"),
        masters,
      ),
    ).toBe("/books/OL1M");
    expect(matched(record, edition(1, common), masters)).toBeUndefined();
    const turned = { ...common, authors: [{ name: "Masters, Edgar" }] };
    expect(matched(turned, edition(1, { ...common, authors: authors(5) }), masters)).toBeUndefined();
  });

  it("ignores pages", () => {
    const common = { title: "Spoon River Anthology", number_of_pages: 200, publishers: ["Knopf"] };
    // With them it would be 600 + 100 + 125 + 100.
    const record = { ...common, authors: [{ name: "John Smith" }] };
    expect(matched(record, edition(1, { ...common, authors: authors(1) }), AUTHOR)).toBeUndefined();
  });
});

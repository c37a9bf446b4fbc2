import { describe, expect, it } from "vitest";
import {
  IDENTIFIER_BYTES_MAX,
  editionIdentifiersOf,
} from "../../../../src/catalog/identifiers/edition-identifiers.ts";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";

const pairs = (edition: CatalogRecord): string[] =>
  editionIdentifiersOf(edition).map(({ kind, value }) => `${kind} ${value}`);

describe("editionIdentifiersOf", () => {
  it("normalizes every kind of identifier", () => {
    const edition = {
      key: "/books/OL1M",
      title: "Foo: a bar? (2nd ed.)",
      isbn_10: ["0-14-032872-6"],
      lccn: ["sa 64009056"],
      oclc_numbers: ["ocm00012345"],
      ocaid: "foo00bar",
      source_records: ["ia:foo00bar", "amazon:B000TEST01"],
      local_id: ["urn:trent:0116"],
      identifiers: { goodreads: [" 777 "], "booklocker.com": ["a", "b"], amazon: "B000TEST01" },
    };
    expect(pairs(edition)).toEqual([
      "isbn 0140328726",
      "isbn 9780140328721",
      "lccn sa64009056",
      "oclc 12345",
      "ocaid foo00bar",
      "source ia:foo00bar",
      "source amazon:B000TEST01",
      "local_id urn:trent:0116",
      "goodreads 777",
      "booklocker.com a",
      "booklocker.com b",
      "amazon B000TEST01",
    ]);
  });

  it.each<[string, CatalogRecord, string[]]>([
    [
      "both spellings once",
      { isbn_10: ["0140328726"], isbn_13: ["978-0140328721"] },
      ["isbn 0140328726", "isbn 9780140328721"],
    ],
    ["no opposite of a wrong check digit", { isbn_13: ["9780590353420"] }, ["isbn 9780590353420"]],
    ["no opposite of 979", { isbn_13: ["9791032310014"] }, ["isbn 9791032310014"]],
    ["no ISBN that is none", { isbn_10: ["56", "", "0000000000"], isbn_invalid: ["0140328726"] }, []],
    ["the compared form of odd LCCNs", { lccn: ["75-425165--2", " "] }, ["lccn 75-425165--2"]],
    [
      "the OCLC member of old records",
      { oclc_number: "12345", oclc_numbers: ["012345", "6"] },
      ["oclc 12345", "oclc 6"],
    ],
    [
      "strings only",
      { isbn_10: [140328726, null, { value: "0140328726" }], lccn: 94200274, ocaid: ["a", 1] },
      ["ocaid a"],
    ],
    ["no empty values", { ocaid: "", source_records: [""], identifiers: { goodreads: ["", "  "] } }, []],
    ["nothing of odd shapes", { identifiers: ["777"], isbn_10: {} }, []],
    ["nothing of an empty record", {}, []],
    [
      "one value of two kinds",
      { ocaid: "a", identifiers: { wikidata: ["a", "a"] } },
      ["ocaid a", "wikidata a"],
    ],
  ])("indexes %s", (_what, edition, expected) => expect(pairs(edition)).toEqual(expected));

  it("omits values above the limit in bytes", () => {
    const fits = "é".repeat(IDENTIFIER_BYTES_MAX / 2);
    const values = [fits, `${fits}a`, "x".repeat(IDENTIFIER_BYTES_MAX), "x".repeat(IDENTIFIER_BYTES_MAX + 1)];
    const found = editionIdentifiersOf({ source_records: values }).map(({ value }) => value);
    expect(found).toEqual([fits, "x".repeat(IDENTIFIER_BYTES_MAX)]);
    for (const [character, bytes] of [
      ["\u0080", 2],
      ["\u0800", 3],
      ["\u{10000}", 4],
    ] as const) {
      const most = character.repeat(Math.floor(IDENTIFIER_BYTES_MAX / bytes));
      const indexed = editionIdentifiersOf({ source_records: [most, most + character] });
      expect(indexed.map(({ value }) => value)).toEqual([most]);
    }
    const wide = ["😀".repeat(IDENTIFIER_BYTES_MAX / 4), "日".repeat(IDENTIFIER_BYTES_MAX / 3 + 1)];
    expect(editionIdentifiersOf({ source_records: wide }).map(({ value }) => value)).toEqual(
      wide.slice(0, 1),
    );
  });

  it("omits duplicates among many values", () => {
    const values = Array.from({ length: 60_000 }, (_, index) => `marc:item/file:${index % 20_000}:1`);
    const found = editionIdentifiersOf({
      ocaid: "a",
      source_records: values,
      identifiers: { source: values },
    });
    expect(found).toHaveLength(20_001);
    expect(new Set(found.map(({ kind, value }) => `${kind} ${value}`)).size).toBe(20_001);
  });

  it("accepts __proto__ and constructor as sources", () => {
    const edition = JSON.parse(
      '{"identifiers": {"__proto__": ["a"], "constructor": ["b"]}}',
    ) as CatalogRecord;
    expect(pairs(edition)).toEqual(["__proto__ a", "constructor b"]);
  });
});

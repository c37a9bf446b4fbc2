import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { LOOKUP_VALUES_MAX, deskKeysOf, lookupsOf } from "../../../../src/import/records/record-lookups.ts";
import { lookupNameOf } from "../../../../src/import/records/snapshot.ts";

const RECORD: CatalogRecord = {
  title: "The title (2nd) [text]",
  source_records: ["ia:src", "amazon:B00A"],
  isbn_10: ["0140328726"],
  isbn_13: ["9780140328721", "nothing"],
  lccn: ["62-298"],
  oclc_numbers: ["ocm0017", "17"],
  ocaid: "scan",
  openlibrary: "OL7M",
  authors: [
    {
      name: "Brewer, William",
      alternate_names: ["Bill"],
      birth_date: "1829",
      death_date: "1910",
      key: "/authors/OL7A",
      remote_ids: { viaf: "1" },
    },
    { name: "bill" },
  ],
};
const names = (lookups: readonly Parameters<typeof lookupNameOf>[0][]): string[] =>
  lookups.map((lookup) => lookupNameOf(lookup).replaceAll("\n", " "));

describe("lookupsOf", () => {
  it("asks for everything once, in the forms of the index", () => {
    const { editions, authors, workTitle } = lookupsOf(RECORD);
    expect(names(editions)).toEqual([
      "key  /books/OL7M",
      "property title title(2nd)[text]",
      "identifier source ia:src title(2nd)[text]",
      "identifier oclc 17",
      "identifier lccn 62000298",
      "identifier ocaid scan",
      "property title title[text]",
      "identifier isbn 0140328726",
      "identifier isbn 9780140328721",
      "identifier amazon B00A",
      "identifier source ia:src",
    ]);
    expect(names(authors)).toEqual([
      "key  /authors/OL7A",
      "property name bill",
      "property remote_ids.viaf 1",
      "property alternate_names bill",
      "property name williambrewer",
      "property alternate_names williambrewer",
      "property name_years brewer 1829 1910",
      "property name_years bill 1829 1910",
      "property remote_ids.viaf http://viaf.org/viaf/1",
      "property remote_ids.viaf https://viaf.org/viaf/1",
    ]);
    expect(workTitle).toBe("title(2nd)");
  });

  it("asks for the name of every author before all that one of them has", () => {
    const authors = Array.from({ length: 250 }, (_, index) => ({
      name: `Name ${index}`,
      alternate_names: Array.from({ length: 20 }, (_one, other) => `Also ${index} ${other}`),
    }));
    const wanted = lookupsOf({ title: "T", source_records: ["x:1"], authors }).authors;
    const first = new Set(wanted.slice(0, authors.length).map(({ name, value }) => `${name} ${value}`));
    expect(authors.filter((_, index) => !first.has(`name name${index}`))).toEqual([]);
  });

  it("asks for the first work of the record", () => {
    const works = [{ key: "/works/OL7W" }, { key: "/works/OL8W" }];
    const { editions } = lookupsOf({ title: "T", source_records: ["x:1"], works });
    expect(names(editions)).toContain("key  /works/OL7W");
    expect(names(editions)).not.toContain("key  /works/OL8W");
    expect(() => lookupsOf({ title: "T", source_records: ["x:1"], works: "/works/OL7W" })).not.toThrow();
  });

  it("asks for a long title as a whole", () => {
    const { editions } = lookupsOf({
      title: "The annual report of the Board of Health",
      source_records: ["x:1"],
    });
    expect(names(editions)).toEqual([
      "property title annualreportoftheboardofh",
      "property long_title annualreportoftheboardofhealth",
      "identifier source x:1 annualreportoftheboardofh",
    ]);
  });

  it("asks for the Wikisource page alone", () => {
    const { editions } = lookupsOf({ ...RECORD, source_records: ["wikisource:en:A page "] });
    expect(names(editions)).toEqual(["key  /books/OL7M", "identifier wikisource en:A page"]);
  });

  it("asks for a bounded number of lookups for any record", () => {
    const isbn_13 = Array.from({ length: 1000 }, (_, index) => `978014${String(index).padStart(7, "0")}`);
    expect(lookupsOf({ title: "T", isbn_13 }).editions).toHaveLength(LOOKUP_VALUES_MAX + 1);
    const alternate_names = isbn_13.map((isbn) => `N ${isbn}`);
    expect(lookupsOf({ title: "T", authors: [{ name: "N", alternate_names }] }).authors).toHaveLength(20);
    expect(lookupsOf({ title: 1, authors: {}, isbn_10: 3, identifiers: [], lccn: null })).toEqual({
      editions: [],
      authors: [],
      workTitle: "",
    });
  });
});

describe("deskKeysOf", () => {
  const common = (a: CatalogRecord, b: CatalogRecord): string[] => {
    const keys = new Set(deskKeysOf({ title: "A", ...a }));
    return deskKeysOf({ title: "B", ...b }).filter((key) => keys.has(key));
  };

  it("are each of a kind, and once", () => {
    expect(deskKeysOf(RECORD)).toEqual([
      "isbn 9780140328721",
      "key /books/OL7M",
      "title title(2nd)[text]",
      "oclc 17",
      "lccn 62000298",
      "ocaid scan",
      "title title[text]",
      "amazon B00A",
      "source ia:src",
      "author williambrewer",
      "author bill",
      "key /authors/OL7A",
      "remote_ids.viaf 1",
      "name_years brewer 1829 1910",
      "name_years bill 1829 1910",
    ]);
  });

  it.each<[string, CatalogRecord, CatalogRecord, string[]]>([
    [
      "a long title",
      { title: "Annual report of the Board of Health" },
      { title: "Annual report of the Board of Health" },
      ["title annualreportoftheboardofh"],
    ],
    [
      "both forms of an ISBN",
      { isbn_10: ["0140328726"] },
      { isbn_13: ["978-0-14-032872-1"] },
      ["isbn 9780140328721"],
    ],
    [
      "one of two ISBNs",
      { isbn: ["0140328726", "9780241734872"] },
      { isbn_13: ["9780241734872"] },
      ["isbn 9780241734872"],
    ],
    [
      "an ISBN with a wrong check digit",
      { isbn_10: ["0140328720"] },
      { isbn_10: ["0-14-032872-0"] },
      ["isbn 0140328720"],
    ],
    ["titles but for parentheses", { title: "The Foo (2nd)" }, { title: "foo" }, ["title foo"]],
    [
      "a page of Wikisource",
      { source_records: ["wikisource:en:P"] },
      { identifiers: { wikisource: ["en:P"] } },
      ["wikisource en:P"],
    ],
    [
      "a second number of a retailer",
      { identifiers: { amazon: ["B1", "B2"] } },
      { source_records: ["amazon:B2"] },
      ["amazon B2"],
    ],
    [
      "a scan among the sources",
      { source_records: ["x:1", "ia:s"] },
      { source_records: ["ia:s"] },
      ["source ia:s"],
    ],
    ["any source", { source_records: ["x:1"] }, { source_records: ["x:1"] }, []],
    [
      "an author in two orders",
      { authors: [{ name: "Döe, John" }] },
      { authors: [{ name: "Dr. john doe" }] },
      ["author johndoe"],
    ],
    [
      "another name of an author",
      { authors: [{ name: "A", alternate_names: ["B"] }] },
      { authors: [{ name: "b" }] },
      ["author b"],
    ],
    [
      "last name and years",
      { authors: [{ name: "W. H. Brewer", birth_date: "1829", death_date: "1910" }] },
      { authors: [{ name: "William Brewer", birth_date: "ca. 1829", death_date: "1910." }] },
      ["name_years brewer 1829 1910"],
    ],
    [
      "a number of an author",
      { authors: [{ name: "A", remote_ids: { viaf: "1" } }] },
      { authors: [{ name: "B", remote_ids: { viaf: "1" } }] },
      ["remote_ids.viaf 1"],
    ],
    [
      "a number of another author",
      { authors: [{ name: "A", remote_ids: { viaf: "1" } }] },
      { authors: [{ name: "B", remote_ids: { isni: "1" } }] },
      [],
    ],
    ["nothing", { isbn_10: ["0140328726"], lccn: ["1"] }, { oclc_numbers: ["1"], ocaid: "1" }, []],
  ])("%s", (_, a, b, expected) => {
    expect(common(a, b)).toEqual(expected);
    expect(common(b, a)).toEqual(expected);
  });
});

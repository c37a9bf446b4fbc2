import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { author } from "../../../support/import/records.ts";
import { SmallCatalog } from "../../../support/import/small-catalog.ts";

/** A record that says too little to be matched by points: it has neither date nor number. */
const RECORD = { title: "Collection", source_records: ["marc:file:0:100"], publishers: ["P"] };

/** Statuses of the editions that records make, one after the other. */
function statuses(...records: CatalogRecord[]): string[] {
  const catalog = new SmallCatalog();
  return records.map((record) => catalog.load(record).edition.status);
}

describe("a record that comes again", () => {
  it.each<[string, CatalogRecord]>([
    ["without authors", RECORD],
    ["with an author", { ...RECORD, authors: [{ name: "Smith, John" }] }],
    ["with a year that is a number", { ...RECORD, publish_date: 1999 }],
    ["with an empty member", { ...RECORD, subtitle: "", lccn: [] }],
  ])("%s makes no other edition", (_, record) => {
    expect(statuses(record, record, record)).toEqual(["created", "matched", "matched"]);
  });

  it("makes no other edition after edits by others", () => {
    const other = { ...RECORD, source_records: ["x:1"], title: "Other title", ocaid: "scan" };
    const added = { ...other, lccn: ["62000298"], publish_date: "1999" };
    const first = { ...RECORD, ocaid: "scan" };
    const catalog = new SmallCatalog();
    const [edition] = [first, added].map((record) => catalog.load(record).edition.key);
    expect(catalog.load(RECORD).edition).toEqual({ key: edition, status: "matched" });
  });

  it.each<[string, CatalogRecord, CatalogRecord]>([
    [
      "last name and years",
      { birth_date: "1829", death_date: "1910" },
      { name: "Mr. William H. brewer", birth_date: "1829", death_date: "1910" },
    ],
    ["another name", { alternate_names: ["Up-de-Graff"] }, { name: "Up-de-Graff" }],
    ["a number elsewhere", { remote_ids: { viaf: "1" } }, { name: "Anybody", remote_ids: { viaf: "1" } }],
  ])("finds its author again by %s", (_, known, named) => {
    const catalog = new SmallCatalog(author(1, "William Brewer", known));
    const record = { ...RECORD, authors: [named] };
    expect([1, 2].map(() => catalog.load(record).edition.status)).toEqual(["created", "matched"]);
    expect(catalog.all("author")).toHaveLength(1);
  });

  it("is another record if the edition came from another source", () => {
    const other = { ...RECORD, source_records: ["x:1"], ocaid: "scan" };
    const joined = { ...RECORD, ocaid: "scan" };
    expect(statuses(other, joined, RECORD)).toEqual(["created", "modified", "created"]);
  });

  it.each<[string, CatalogRecord]>([
    ["source", { source_records: ["marc:file:100:100"] }],
    ["first source", { source_records: ["x:1", "marc:file:0:100"] }],
    ["publisher", { publishers: ["Q"] }],
    ["date", { publish_date: "1999" }],
    ["title", { title: "Collection 2" }],
    ["author", { authors: [{ name: "Ann Jones" }] }],
    ["number", { lccn: ["62000298"] }],
    ["country", { publish_country: "nyu" }],
  ])("with another %s is another one", (_, members) => {
    expect(statuses(RECORD, { ...RECORD, ...members })).toEqual(["created", "created"]);
  });
});

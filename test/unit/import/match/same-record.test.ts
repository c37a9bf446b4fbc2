import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
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

  it("finds the edition that it was added to", () => {
    const other = { ...RECORD, source_records: ["x:1"], ocaid: "scan", lccn: ["62000298"] };
    const joined = { ...RECORD, source_records: ["marc:file:0:100"], lccn: ["62000298"] };
    expect(statuses(other, joined, RECORD)).toEqual(["created", "modified", "matched"]);
  });

  it.each<[string, CatalogRecord]>([
    ["source", { source_records: ["marc:file:100:100"] }],
    ["first source", { source_records: ["x:1", "marc:file:0:100"] }],
    ["publisher", { publishers: ["Q"] }],
    ["date", { publish_date: "1999" }],
    ["title", { title: "Collection 2" }],
    ["author", { authors: [{ name: "Ann Jones" }] }],
  ])("with another %s is another one", (_, members) => {
    expect(statuses(RECORD, { ...RECORD, ...members })).toEqual(["created", "created"]);
  });
});

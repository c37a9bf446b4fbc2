import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { needsSupplement, supplementIdsOf, supplementRecord } from "../../../src/import/parse.ts";

const FULL = { title: "T", authors: [{ name: "A" }], publish_date: "2001" };

describe("needsSupplement", () => {
  it("is true without title, authors or date", () => {
    expect(needsSupplement(FULL)).toBe(false);
    for (const name of Object.keys(FULL)) {
      for (const empty of [undefined, null, "", [], {}, 0, false]) {
        expect(needsSupplement({ ...FULL, [name]: empty })).toBe(true);
      }
    }
  });
});

describe("supplementIdsOf", () => {
  it.each<[CatalogRecord, string[]]>([
    [{ isbn_13: ["978-0-14-032872-1"] }, ["0140328726", "9780140328721"]],
    [{ isbn_10: ["0140328726"] }, ["0140328726", "9780140328721"]],
    [{ isbn_13: ["nothing"], isbn_10: ["0140328726"] }, ["0140328726", "9780140328721"]],
    [{ isbn_13: ["9791220129503"] }, ["9791220129503"]],
    [{ isbn_13: [], isbn_10: [null, "0140328726"] }, ["0140328726", "9780140328721"]],
    [{ identifiers: { amazon: ["0140328726", "B01234568"] } }, ["B01234568"]],
    [{ source_records: ["amazon:0140328726", "amazon:B0999"] }, ["B0999"]],
    [{ isbn_10: ["0140328726"], source_records: ["amazon:B0999"] }, ["0140328726", "9780140328721", "B0999"]],
    [{}, []],
    [{ isbn_10: 7, isbn_13: { 0: "x" }, identifiers: [], source_records: null }, []],
  ])("%j: %j", (record, expected) => expect(supplementIdsOf(record)).toEqual(expected));
});

describe("supplemented", () => {
  const staged = {
    title: "Staged",
    authors: [{ name: "S" }],
    publishers: ["P"],
    publish_date: "1999",
    isbn_10: ["0140328726"],
    number_of_pages: 7,
    languages: ["eng"],
    source_records: ["amazon:0140328726", "idb:1"],
  };

  it("fills empty members and joins the sources", () => {
    const record = { title: "Mine", authors: [], isbn_10: ["1"], source_records: ["idb:1", "mine:2"] };
    expect(supplementRecord(record, staged)).toEqual({
      title: "Mine",
      authors: [{ name: "S" }],
      publishers: ["P"],
      publish_date: "1999",
      isbn_10: ["1"],
      number_of_pages: 7,
      source_records: ["idb:1", "mine:2", "amazon:0140328726"],
    });
    expect(record).toEqual({
      title: "Mine",
      authors: [],
      isbn_10: ["1"],
      source_records: ["idb:1", "mine:2"],
    });
  });

  it("works without sources on either side", () => {
    expect(supplementRecord({ title: "T" }, { source_records: null })).toEqual({ title: "T" });
    expect(supplementRecord({ source_records: null }, { source_records: ["a:1"] })).toEqual({
      source_records: ["a:1"],
    });
  });

  it("leaves sources of a wrong type for the validator", () => {
    expect(supplementRecord({ source_records: "a:1" }, staged)["source_records"]).toBe("a:1");
    expect(supplementRecord({ source_records: ["a:1", 7] }, staged)["source_records"]).toEqual(["a:1", 7]);
  });
});

import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../src/catalog/record.ts";
import { imprintOf, normalizeMetadata, buildItemRecord } from "../../../src/import/item.ts";
const ITEM = {
  identifier: "foo00bar",
  title: "T",
  creator: "Drury, Bob; Clavin, Tom ;; ",
  date: "2013",
  publisher: "New York : Simon & Schuster",
};
const of = (metadata: CatalogRecord) => buildItemRecord(normalizeMetadata({ ...ITEM, ...metadata }));

describe("buildItemRecord", () => {
  it("reads the metadata of an item", () => {
    expect(
      of({
        description: ["first", "second"],
        isbn: [" 9781451654684", "1-4516-5468-5 ", "12345"],
        language: "eng",
        lccn: "85000002",
        subject: "Cats",
        "oclc-id": "861956180",
        imagecount: 454,
      }),
    ).toEqual({
      title: "T",
      authors: [{ name: "Drury, Bob" }, { name: "Clavin, Tom" }],
      publish_date: "2013",
      source_records: ["ia:foo00bar"],
      description: "first",
      isbn_10: ["1451654685"],
      isbn_13: ["9781451654684"],
      languages: ["eng"],
      lccn: ["85000002"],
      subjects: ["Cats"],
      oclc_numbers: ["861956180"],
      number_of_pages: 450,
      publish_places: ["New York"],
      publishers: ["Simon & Schuster"],
    });
  });

  it.each([
    ["5", 1],
    ["4", 4],
    [3, 3],
    ["454", 450],
    ["0", undefined],
    ["many", undefined],
  ])("counts %j images as %s pages", (imagecount, pages) => {
    expect(of({ imagecount })["number_of_pages"]).toBe(pages);
  });

  it.each([
    ["fr", ["fr"]],
    ["Français", ["Français"]],
    [undefined, undefined],
  ])("leaves the language %j to the import", (language, expected) => {
    expect(of({ language })["languages"]).toEqual(expected);
  });

  it("refuses an item with too little metadata", () => {
    const dateless = () => of({ date: undefined });
    expect(dateless).toThrow(
      expect.objectContaining({
        code: "not-differentiable",
        message:
          "1 validation error for CompleteBook: publish_date:   Input should be a valid string [type=string_type]",
      }),
    );
    expect(() => of({ title: undefined })).toThrow(expect.objectContaining({ code: "not-differentiable" }));
    expect(of({ date: undefined, isbn: "1451654685" })).toMatchObject({ publish_date: null });
  });
});

describe("normalizeMetadata", () => {
  it("reads members that are lists", () => {
    const metadata = normalizeMetadata({
      title: ["", "A", "B"],
      isbn: "1",
      subject: ["a", "", null, "b"],
      collection: [],
      imagecount: 7,
      odd: { a: 1 },
      __proto__: null,
    });
    expect(metadata.text("title")).toBe("A");
    expect(metadata.list("isbn")).toEqual(["1"]);
    expect(metadata.list("subject")).toEqual(["a", "b"]);
    expect(metadata.list("collection")).toEqual([]);
    expect(metadata.text("imagecount")).toBe("7");
    expect(metadata.text("odd")).toBeUndefined();
    expect(metadata.text("constructor")).toBeUndefined();
  });
});

describe("imprintOf", () => {
  it.each([
    ["[New York] : Random House", ["New York"], ["Random House"]],
    [
      "Londres ; New York ; Paris : Berlitz Publishing",
      ["Londres", "New York", "Paris"],
      ["Berlitz Publishing"],
    ],
    ["Paris : Pearson ; San Jose (Calif.) : Adobe", ["Paris", "San Jose (Calif.)"], ["Pearson", "Adobe"]],
    ["[Place of publication not identified] : Sage", [], ["Sage"]],
    ["'Penguin', ", [], ["Penguin"]],
    ["Random House ; Knopf", [], ["Random House ; Knopf"]],
    ["London : A ; Paris : B : C ; Rome : D", ["London"], ["A"]],
    ["London : A ; Paris", ["London"], ["A"]],
    [" : ", [], []],
    ["[]", [], []],
    ["", [], []],
    [undefined, [], []],
  ])("%j: %j, %j", (text, places, publishers) => {
    expect(imprintOf(text)).toEqual({ places, publishers });
  });

  it("reads hundreds of thousands of places", () => {
    const { places, publishers } = imprintOf(`${"Oslo ;".repeat(300_000)} Rome : Sage`);
    expect([places.length, places.at(-1), publishers]).toEqual([300_001, "Rome", ["Sage"]]);
  });
});

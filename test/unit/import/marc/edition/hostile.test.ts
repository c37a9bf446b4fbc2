import { describe, expect, it } from "vitest";
import { editionOfMarc } from "../../../../../src/import/marc/edition.ts";
import { type DataField, MarcError, type Subfield } from "../../../../../src/import/marc/record.ts";

const LENGTH = 100_000;
const LINKS = 20_000;
const TAGS =
  "010 016 020 022 024 035 041 050 082 100 110 111 130 240 245 246 250 260 264 300 440 490 500 505 520 600 610 611 630 648 650 651 700 710 730 740 852 856 880";
const CODES = "abcdehkmnprstuvxyz0234";
const UNITS = [
  "0",
  "x",
  " (",
  ", ",
  ".",
  "--",
  "; ",
  "-",
  "etc",
  "[",
  "]",
  "l1",
  "ca.",
  "A, B ",
  "^",
  "oc",
  "(isni)",
];
const BEGINNINGS = ["", "ocm", "(OCoLC)A, B"];
const ENDINGS = ["x", " character)", ", etc.", "[from old catalog]"];

function field(tag: string, subfields: Subfield[]): DataField {
  return { tag, ind1: " ", ind2: " ", subfields };
}

/** Reads records that have the same text everywhere. With the square of its length each would take minutes. */
function readAll(unit: string): void {
  for (const beginning of BEGINNINGS) {
    for (const ending of ENDINGS) {
      const text = beginning + unit.repeat(Math.floor(LENGTH / unit.length)) + ending;
      const subfields = [...CODES].map((code): Subfield => [code, text]);
      const fields = TAGS.split(" ").map((tag) => field(tag, subfields));
      const control = ["001", "003", "008"].map((tag) => ({ tag, value: text }));
      const edition = editionOfMarc({
        leader: "",
        fields: [...control, field("245", [["a", "Title"]]), ...fields],
      });
      expect(edition["title"]).toBe("Title");
    }
  }
}

describe("hostile records", () => {
  it.each(UNITS)("of many %j are read", (unit) => readAll(unit));

  it("of many links are read", () => {
    const names = Array.from({ length: LINKS }, (_, index) =>
      field("700", [
        ["a", `N${index}`],
        ["6", `880-${index}`],
      ]),
    );
    const others = Array.from({ length: LINKS }, (_, index) =>
      field("880", [
        ["a", `O${index}`],
        ["6", `700-0${index}`],
      ]),
    );
    const { authors } = editionOfMarc({
      leader: "",
      fields: [field("245", [["a", "T"]]), ...names, ...others],
    });
    expect(authors).toHaveLength(LINKS);
  });

  it("of one value with very many parts are read", () => {
    const parts = 200_000;
    const isbns = Array.from({ length: parts }, (_, index) => String(1_000_000_000 + index)).join(";");
    const { isbn_10, table_of_contents } = editionOfMarc({
      leader: "",
      fields: [
        field("245", [["a", "T"]]),
        field("020", [["a", isbns]]),
        field("505", [["a", "x--".repeat(parts)]]),
      ],
    });
    expect(isbn_10).toHaveLength(parts);
    expect(table_of_contents).toHaveLength(parts);
  });

  it("without anything are refused", () => {
    expect(() => editionOfMarc({ leader: "", fields: [] })).toThrow(MarcError);
    expect(() => editionOfMarc({ leader: "", fields: [field("245", [])] })).toThrow(MarcError);
  });
});

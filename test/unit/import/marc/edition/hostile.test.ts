import { describe, expect, it } from "vitest";
import { editionOfMarc } from "../../../../../src/import/marc/edition.ts";
import {
  type DataField,
  MarcError,
  type Subfield,
  makeBrokenControlField,
  makeBrokenDataField,
} from "../../../../../src/import/marc/record.ts";
import type { ImportWarning } from "../../../../../src/import/warning.ts";

/** Characters of a value. A step for each pair of them in a single value takes seconds. */
const LENGTH = 80_000;
const SHORT_LENGTH = 200;
const LINKS = 20_000;
const PARTS = 50_000;
/** About 80 times what a record with values of that length needs. */
const TIMEOUT_MS = 6000;
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

/** Values of one unit with each beginning and ending. */
function valuesOf(unit: string, length: number): string[] {
  const middle = unit.repeat(Math.floor(length / unit.length));
  return BEGINNINGS.flatMap((beginning) => ENDINGS.map((ending) => beginning + middle + ending));
}

/** Reads a record that has all fields with all subfields, their values in turn. */
function readRecord(values: readonly string[]): void {
  let place = 0;
  const next = (): string => values[place++ % values.length] ?? "";
  const fields = TAGS.split(" ").map((tag) =>
    field(
      tag,
      [...CODES].map((code): Subfield => [code, next()]),
    ),
  );
  const control = ["001", "003", "008"].map((tag) => ({ tag, value: next() }));
  const edition = editionOfMarc({
    leader: "",
    fields: [...control, field("245", [["a", "Title"]]), ...fields],
  });
  expect(edition["title"]).toBe("Title");
}

describe("hostile records", () => {
  it.each(UNITS)(
    "are read in linear time when their values are made of many %j",
    (unit) => readRecord(valuesOf(unit, LENGTH)),
    TIMEOUT_MS,
  );

  it.each(UNITS)("are read when each value is made of %j", (unit) => {
    for (const value of valuesOf(unit, SHORT_LENGTH)) readRecord([value]);
  });

  it("are read with many links", () => {
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

  it("are read with many parts in a value", () => {
    const isbns = Array.from({ length: PARTS }, (_, index) => String(1_000_000_000 + index)).join(";");
    const { isbn_10, table_of_contents } = editionOfMarc({
      leader: "",
      fields: [
        field("245", [["a", "T"]]),
        field("020", [["a", isbns]]),
        field("505", [["a", "x--".repeat(PARTS)]]),
      ],
    });
    expect(isbn_10).toHaveLength(PARTS);
    expect(table_of_contents).toHaveLength(PARTS);
  });

  it("are read without fields that cannot be read, but for the title", () => {
    const title = field("245", [["a", "T"]]);
    const error = new MarcError("bad-marc", "marc.outside");
    const [note, name, other] = ["500", "100", "245"].map((tag) => makeBrokenDataField(tag, error));
    const warnings: ImportWarning[] = [];
    const fields = [makeBrokenControlField("008", error), title, note!, name!];
    expect(editionOfMarc({ leader: "", fields }, warnings)).toEqual({ title: "T" });
    expect(warnings.map(({ code, field: tag }) => [code, tag])).toEqual(
      ["008", "500", "100"].map((tag) => ["unreadable-field", tag]),
    );
    expect(() => editionOfMarc({ leader: "", fields: [other!, field("130", [["a", "T"]])] })).toThrow(
      MarcError,
    );
  });

  it("are refused without fields or without a title", () => {
    expect(() => editionOfMarc({ leader: "", fields: [] })).toThrow(MarcError);
    expect(() => editionOfMarc({ leader: "", fields: [field("245", [])] })).toThrow(MarcError);
  });
});

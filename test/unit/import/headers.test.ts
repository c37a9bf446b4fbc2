import { describe, expect, it } from "vitest";
import { parseHeaderFields, withHeaderFields } from "../../../src/import/builder.ts";

describe("parseHeaderFields", () => {
  it("reads names with and without a number only", () => {
    const headers = new Headers({
      "X-Archive-Meta-Title": "A title",
      "x-archive-meta02-author": "Second",
      "X-Archive-Meta01-Author": "First",
      "X-Archive-Meta-Source-Record": "partner:1",
      "X-Archive-Metadata": "no",
      "X-Archive-Meta": "no",
      "X-Archive-Meta-": "no",
      "X-Archive-Meta1-Author": "no",
      "Content-Type": "application/json",
    });
    expect(parseHeaderFields(headers)).toEqual([
      { name: "source_record", value: "partner:1" },
      { name: "title", value: "A title" },
      { name: "author", value: "First" },
      { name: "author", value: "Second" },
    ]);
  });

  it.each([
    ["J\u00c3\u00bcrgen", "Jürgen"],
    ["\u00e2\u0080\u0094", "—"],
    ["J\u00fcrgen", "Jürgen"],
    ["J\u00c3\u00bcrgen Ω", "J\u00c3\u00bcrgen Ω"],
  ])("reads bytes that are UTF-8 as such: %j", (value, text) => {
    expect(parseHeaderFields([["x-archive-meta-title", value]])).toEqual([{ name: "title", value: text }]);
  });

  it("orders numbers, in any position", () => {
    const fields = parseHeaderFields([
      ["x-archive-meta10-subject", "c"],
      ["x-archive-meta02-subject", "b"],
      ["x-archive-meta-subject", "a"],
    ]);
    expect(fields.map(({ value }) => value)).toEqual(["a", "b", "c"]);
  });
});

describe("withHeaderFields", () => {
  it("adds every field of the table to its member", () => {
    const names = [
      "title",
      "publish_date",
      "pagination",
      "description",
      "ocaid",
      "author",
      "publisher",
      "publish_place",
      "subject",
      "language",
      "lccn",
      "isbn_10",
      "isbn_13",
      "dewey_decimal_class",
      "oclc_number",
      "illustrator",
      "source_record",
      "lc_classification",
      "whatever",
    ];
    expect(
      withHeaderFields(
        {},
        names.map((name) => ({ name, value: name.toUpperCase() })),
      ),
    ).toEqual({
      title: "TITLE",
      publish_date: "PUBLISH_DATE",
      pagination: "PAGINATION",
      description: "DESCRIPTION",
      ocaid: "OCAID",
      authors: [{ personal_name: "AUTHOR", name: "AUTHOR", entity_type: "person" }],
      publishers: ["PUBLISHER"],
      publish_places: ["PUBLISH_PLACE"],
      subjects: ["SUBJECT"],
      languages: ["LANGUAGE"],
      lccn: ["LCCN"],
      isbn_10: ["ISBN_10"],
      isbn_13: ["ISBN_13"],
      dewey_decimal_class: ["DEWEY_DECIMAL_CLASS"],
      oclc_numbers: ["OCLC_NUMBER"],
      contributions: ["ILLUSTRATOR (Illustrator)"],
      source_records: ["SOURCE_RECORD"],
      lc_classifications: ["LC_CLASSIFICATION"],
      whatever: "WHATEVER",
    });
  });

  it("appends to lists and replaces texts of a copy", () => {
    const record = { title: "Old", subjects: ["a"], isbn_10: null };
    const fields = [
      { name: "title", value: "New" },
      { name: "subject", value: "b" },
      { name: "isbn_10", value: "0140328726" },
    ];
    expect(withHeaderFields(record, fields)).toEqual({
      title: "New",
      subjects: ["a", "b"],
      isbn_10: ["0140328726"],
    });
    expect(record).toEqual({ title: "Old", subjects: ["a"], isbn_10: null });
  });

  it("refuses to append to a value other than a list", () => {
    const add = () => withHeaderFields({ subjects: "a" }, [{ name: "subject", value: "b" }]);
    expect(add).toThrow(expect.objectContaining({ code: "type-error", message: "subjects is not a list" }));
  });

  it("does not take names of object members for fields", () => {
    const record = withHeaderFields({}, [
      { name: "__proto__", value: "x" },
      { name: "constructor", value: "y" },
    ]);
    expect(Object.entries(record)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });
});

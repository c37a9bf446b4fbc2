import { describe, expect, it } from "vitest";
import type { CatalogRecord, Json } from "../../../src/catalog/record.ts";
import { ImportFailure } from "../../../src/import/failure.ts";
import { validateRecord, violationsOf } from "../../../src/import/validate.ts";

const COMPLETE = {
  title: "Beowulf",
  source_records: ["key:value"],
  authors: [{ name: "Tom Robbins" }, { name: "Dean Koontz" }],
  publishers: ["Harper Collins", "OpenStax"],
  publish_date: "December 2018",
};
const IDENTIFIED = { title: "Beowulf", source_records: ["key:value"] };
const SUSPECT = ["1900", "January 1, 1900", "1900-01-01", "01-01-1900", "????"];

function isValid(record: CatalogRecord): boolean {
  return violationsOf(record).length === 0;
}

function refusal(record: CatalogRecord): string {
  try {
    validateRecord(record);
  } catch (error) {
    if (error instanceof ImportFailure && error.code === "invalid-value") return error.message;
    throw error;
  }
  throw new Error("The record is valid");
}

describe("a complete record", () => {
  it("is valid and stays the same", () => {
    expect(validateRecord(COMPLETE)).toEqual(COMPLETE);
    const rich = {
      ...COMPLETE,
      pagination: "xi, 3 p.",
      lccn: ["85000002"],
      by_statement: "by T.",
      location: ["HARP"],
      unknown: { deep: [1, null] },
    };
    expect(validateRecord(rich)).toEqual(rich);
  });

  it.each(Object.keys(COMPLETE))("lacks nothing but %s", (name) => {
    const { [name]: _left, ...record } = COMPLETE as CatalogRecord;
    const type = name === "authors" ? "too_short" : "missing";
    expect(violationsOf(record)).toMatchObject([{ location: [name], type }]);
  });

  it.each<[string, Json, string, (string | number)[]]>([
    ["title", "", "string_too_short", ["title"]],
    ["title", 7, "string_type", ["title"]],
    ["title", null, "string_type", ["title"]],
    ["publish_date", "", "string_too_short", ["publish_date"]],
    ["publish_date", 1960, "string_type", ["publish_date"]],
    ["publish_date", null, "string_type", ["publish_date"]],
    ["source_records", [], "too_short", ["source_records"]],
    ["source_records", "key:value", "list_type", ["source_records"]],
    ["source_records", null, "list_type", ["source_records"]],
    ["source_records", ["a:1", ""], "string_too_short", ["source_records", 1]],
    ["source_records", [7], "string_type", ["source_records", 0]],
    ["publishers", "P", "list_type", ["publishers"]],
    ["authors", [], "too_short", ["authors"]],
    ["authors", null, "too_short", ["authors"]],
    ["authors", { name: "A" }, "too_short", ["authors"]],
    ["authors", "A", "too_short", ["authors"]],
    ["authors", [{ not_name: "A" }], "too_short", ["authors"]],
    ["authors", [{ name: 1 }, "A", null, ["A"]], "too_short", ["authors"]],
    ["authors", [{ name: "N/A" }, { name: "unKnown" }], "too_short", ["authors"]],
    ["authors", [{ name: "A" }, { name: "" }], "string_too_short", ["authors", 1, "name"]],
  ])("is not one with %s %j: %s", (name, value, type, location) => {
    expect(violationsOf({ ...COMPLETE, [name]: value })).toMatchObject([{ type, location }]);
  });

  it("is cleaned of placeholder names in a copy", () => {
    const authors = [{ name: "N/A" }, { name: "A B", role: "ed." }, { name: "UNKNOWN" }, 7];
    const record = { ...COMPLETE, authors };
    expect(validateRecord(record)["authors"]).toEqual([{ name: "A B", role: "ed." }]);
    expect(record.authors).toHaveLength(4);
  });
});

describe("a placeholder date", () => {
  it.each(SUSPECT)("is removed: %s", (date) => {
    const record = { ...COMPLETE, publish_date: date };
    expect(violationsOf(record)).toMatchObject([{ location: ["publish_date"], type: "missing" }]);
    const identified = validateRecord({ ...record, isbn_10: ["0262670011"] });
    expect(Object.keys(identified)).not.toContain("publish_date");
  });

  it.each(SUSPECT)("stays where the source is wikisource: %s", (date) => {
    const record = { ...COMPLETE, source_records: ["a:1", "wikisource:en:Page"], publish_date: date };
    expect(validateRecord(record)["publish_date"]).toBe(date);
  });

  it("is recognised only in its exact form", () =>
    expect(isValid({ ...COMPLETE, publish_date: " 1900" })).toBe(true));
});

describe("a record with a strong identifier", () => {
  it.each(["isbn_10", "isbn_13", "lccn"])("is valid with %s", (name) => {
    expect(validateRecord({ ...IDENTIFIED, [name]: ["0123456789012"] })).toEqual({
      ...IDENTIFIED,
      [name]: ["0123456789012"],
      authors: [],
    });
    expect(isValid({ ...IDENTIFIED, isbn_13: ["0123456789012"], [name]: ["non-empty"] })).toBe(true);
    expect(isValid({ ...IDENTIFIED, isbn_10: null, isbn_13: null, lccn: null, [name]: ["x"] })).toBe(true);
  });

  const values: Json[] = [[""], [null], null, [], "0262670011", ["x", 7], {}];
  it.each(["isbn_10", "isbn_13", "lccn"].flatMap((name) => values.map((value) => ({ name, value }))))(
    "is refused with $name $value",
    ({ name, value }) => expect(isValid({ ...IDENTIFIED, [name]: value })).toBe(false),
  );

  it("needs title and source", () => {
    const { title: _title, ...untitled } = { ...IDENTIFIED, isbn_10: ["0262670011"] };
    expect(violationsOf(untitled).map(({ location }) => location[0])).toEqual([
      "title",
      "authors",
      "publishers",
      "publish_date",
    ]);
    expect(isValid({ ...IDENTIFIED, source_records: [], isbn_10: ["0262670011"] })).toBe(false);
  });
});

describe("the report", () => {
  it("has one line", () => {
    const { publish_date: _date, ...undated } = COMPLETE;
    expect(refusal(undated)).toBe(
      "1 validation error for CompleteBook: publish_date:   Field required [type=missing]",
    );
    expect(refusal({ ...undated, authors: [{ name: "" }], title: "" })).toBe(
      "3 validation errors for CompleteBook: " +
        "title:   String should have at least 1 character [type=string_too_short]: " +
        "authors.0.name:   String should have at least 1 character [type=string_too_short]: " +
        "publish_date:   Field required [type=missing]",
    );
  });

  it("counts all problems and lists the first hundred", () => {
    const text = refusal({ ...COMPLETE, source_records: Array.from({ length: 250 }, () => "") });
    expect(text.startsWith("250 validation errors")).toBe(true);
    expect(text).toContain("source_records.99:");
    expect(text).not.toContain("source_records.100:");
  });

  it("ends quickly with very many problems", () => {
    const text = refusal({ ...COMPLETE, source_records: Array.from({ length: 300_000 }, () => "") });
    expect(text.startsWith("300000 validation errors")).toBe(true);
  });
});

describe("members with names that objects have", () => {
  it("are not taken for values", () => {
    const record = JSON.parse('{"__proto__": {"title": "T", "source_records": ["a:1"], "isbn_10": ["1"]}}');
    expect(violationsOf(record)).toHaveLength(5);
    const kept = validateRecord({ ...COMPLETE, ...JSON.parse('{"__proto__": {"polluted": true}}') });
    expect(Object.hasOwn(kept, "__proto__")).toBe(true);
    expect(({} as CatalogRecord)["polluted"]).toBeUndefined();
  });
});

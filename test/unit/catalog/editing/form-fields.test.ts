import { describe, expect, it } from "vitest";
import {
  type FormField,
  FORM_DEPTH_MAX,
  FORM_FIELDS_MAX,
  toAddFormFields,
  toEditFormFields,
  fieldsOfJson,
  nestFields,
} from "../../../../src/catalog/editing/form-fields.ts";

const nested = (...fields: FormField[]) => nestFields(fields).form;

describe("nestFields", () => {
  it("nests names and turns numbers into dense arrays", () => {
    expect(
      nested(
        ["work--authors--2--author--key", "/authors/OL3A"],
        ["work--authors--0--author--key", "/authors/OL1A"],
        ["work--title", " Title "],
        ["_comment", "a\r\nb"],
      ),
    ).toEqual({
      work: {
        title: "Title",
        authors: [{ author: { key: "/authors/OL1A" } }, { author: { key: "/authors/OL3A" } }],
      },
      _comment: "a\nb",
    });
  });

  it("prefers the last value, and objects over texts", () => {
    expect(nested(["a", "1"], ["a", "2"])).toEqual({ a: "2" });
    expect(nested(["a", "1"], ["a--b", "2"])).toEqual({ a: { b: "2" } });
    expect(nested(["a--b", "2"], ["a", "1"])).toEqual({ a: { b: "2" } });
    expect(nested(["a--0", "x"], ["a--b", "y"])).toEqual({ a: { 0: "x", b: "y" } });
  });

  it("treats __proto__ and constructor as plain names", () => {
    const form = nested(["__proto__--polluted", "x"], ["constructor--prototype--polluted", "x"]);
    expect(Object.hasOwn(form, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(form)).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
  });

  it("limits fields and depth", () => {
    const deep = Array.from({ length: FORM_DEPTH_MAX + 1 }, () => "a").join("--");
    expect(nestFields([[deep, "x"]]).failures).toMatchObject([{ status: 400 }]);
    const many = Array.from({ length: FORM_FIELDS_MAX + 1 }, (_, index): FormField => [`a${index}`, ""]);
    expect(nestFields(many).failures).toHaveLength(1);
    expect(nested(["a--999999999", "x"])).toEqual({ a: ["x"] });
  });
});

describe("fieldsOfJson", () => {
  it("flattens values to form fields", () => {
    const value = { work: { authors: [{ author: { key: "k" } }], n: 7 }, "work--title": "t", none: null };
    expect(nested(...fieldsOfJson(value))).toEqual({
      work: { authors: [{ author: { key: "k" } }], n: "7", title: "t" },
    });
  });

  it("has the limits of forms", () => {
    const wide = Array.from({ length: FORM_FIELDS_MAX * 3 }, () => "x");
    expect(nestFields(fieldsOfJson({ wide })).failures).toHaveLength(1);
    const deep = JSON.parse(`${'{"a":'.repeat(50)}1${"}".repeat(50)}`);
    expect(nestFields(fieldsOfJson(deep)).failures).toHaveLength(1);
  });
});

it("toAddFormFields and toEditFormFields put names beside their keys", () => {
  const fields: FormField[] = [
    ["author_names--3", "A"],
    ["authors--1", "B"],
    ["series--0", "S"],
    ["authors--0--author--key", "k"],
  ];
  expect(toEditFormFields(fields).map(([name]) => name)).toEqual([
    "work--authors--3--name",
    "work--authors--1--name",
    "work--series--0--name",
    "authors--0--author--key",
  ]);
  expect(toAddFormFields(fields).map(([name]) => name)).toEqual([
    "authors--3--name",
    "authors--1",
    "series--0",
    "authors--0--author--key",
  ]);
});

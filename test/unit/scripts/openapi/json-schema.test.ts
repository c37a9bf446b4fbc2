import { describe, expect, it } from "vitest";
import { differences } from "../../../../bench/openapi/json-schema.mjs";

const person = {
  type: "object",
  properties: { name: { type: "string", minLength: 2 }, age: { type: "integer", minimum: 0, maximum: 150 } },
  required: ["name"],
  additionalProperties: false,
};

describe("valid values", () => {
  it.each<[schema: object, value: unknown]>([
    [{}, { anything: [1] }],
    [person, { name: "Ann", age: 3 }],
    [{ type: ["string", "null"] }, null],
    [{ type: "number" }, 1.5],
    [{ type: "array", items: person }, [{ name: "Bob" }]],
    [{ type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" } }, ["a", 1, 2]],
    [{ anyOf: [{ type: "string" }, person] }, { name: "Ann" }],
    [{ oneOf: [{ type: "string" }, { type: "integer" }] }, 1],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, 2],
    [{ const: "ok" }, "ok"],
    [{ enum: ["a", null] }, null],
    [{ not: { type: "string" } }, 1],
    [{ type: "string", pattern: "^\\d+$", maxLength: 3 }, "12"],
    [
      { type: "object", additionalProperties: { type: "integer" }, propertyNames: { maxLength: 1 } },
      { a: 1 },
    ],
    [{ minimum: 3 }, "not a number at all"],
    [{ type: "string", maxLength: 1 }, "😀"],
  ])("%j %j", (schema, value) => {
    expect(differences({ ...schema }, value)).toEqual([]);
  });
});

describe("invalid values", () => {
  it.each<[schema: object, value: unknown, reason: RegExp]>([
    [person, "Ann", /not of the type object/],
    [person, {}, /without name/],
    [person, { name: "A" }, /\/name: shorter than 2/],
    [person, { name: "Ann", age: 1.5 }, /\/age: not of the type integer/],
    [person, { name: "Ann", age: 151 }, /\/age: more than 150/],
    [person, { name: "Ann", more: 1 }, /\/more: nothing is allowed/],
    [{ type: "array", items: person }, [{ name: "Bob" }, {}], /\/1: without name/],
    [
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" } },
      ["a", "b"],
      /\/1: not of/,
    ],
    [{ type: "array", minItems: 1 }, [], /fewer items/],
    [{ anyOf: [{ type: "string" }, { type: "integer" }] }, true, /none of 2 schemas/],
    [{ oneOf: [{ type: "integer" }, { type: "number" }] }, 1, /2 of 2 schemas/],
    [{ const: "ok" }, "no", /not the constant/],
    [{ enum: ["a"] }, "b", /none of/],
    [{ not: { type: "string" } }, "a", /must not be/],
    [{ pattern: "^a" }, "b", /does not match/],
    [{ exclusiveMinimum: 0 }, 0, /not more than/],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, /longer than 1/],
    [{ type: "null" }, undefined, /not of the type null/],
  ])("%j %j", (schema, value, reason) => {
    expect(differences({ ...schema }, value).join("\n")).toMatch(reason);
  });
});

it("follows references in the document, also in cycles", () => {
  const tree = { type: "array", items: { $ref: "#/components/tree" } };
  const root = { components: { tree, "a/b": { type: "string" } } };
  expect(differences({ $ref: "#/components/tree" }, [[], [[]]], root)).toEqual([]);
  expect(differences({ $ref: "#/components/tree" }, [[1]], root)).toEqual(["/0/0: not of the type array"]);
  expect(differences({ $ref: "#/components/a~1b" }, "x", root)).toEqual([]);
  expect(() => differences({ $ref: "#/components/none" }, 1, root)).toThrow("points at nothing");
});

it("refuses unknown keywords", () => {
  expect(() => differences({ dependentRequired: { a: ["b"] } }, {})).toThrow("dependentRequired");
});

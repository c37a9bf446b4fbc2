import { describe, expect, it } from "vitest";
import { findProperty, typeDefinitionOf, listTypeKeys } from "../../../src/catalog/types.ts";

const definitions = listTypeKeys().map((key) => ({ key, definition: typeDefinitionOf(key)! }));

describe("the type definitions", () => {
  it("have the shape that their types promise", () => {
    for (const { key, definition } of definitions) {
      expect(Object.keys(definition), key).toEqual(["name", "kind", "properties"]);
      expect(definition.name, key).toMatch(/^[A-Z][\w ]*$/i);
      expect(["primitive", "regular", "embeddable"], key).toContain(definition.kind);
      for (const property of definition.properties) {
        expect(Object.keys(property), key).toEqual(["name", "expected_type", "unique"]);
        expect(property.name, key).toMatch(/^[a-z][a-z0-9_]*$/);
        expect(typeof property.unique, key).toBe("boolean");
        expect(typeDefinitionOf(property.expected_type), `${key} ${property.name}`).toBeDefined();
      }
      const names = definition.properties.map(({ name }) => name);
      expect(new Set(names).size, key).toBe(names.length);
    }
  });
});

describe("findProperty", () => {
  it.each([
    ["edition", "title", "string", true],
    ["edition", "works", "work", false],
    ["work", "authors", "author_role", false],
  ])("/type/%s %s", (type, name, expected, unique) => {
    expect(findProperty(`/type/${type}`, name)).toEqual({
      name,
      expected_type: `/type/${expected}`,
      unique,
    });
  });

  it.each([
    ["edition", "identifiers"],
    ["edition", "constructor"],
    ["nothing", "title"],
  ])("/type/%s %s is undeclared", (type, name) => {
    expect(findProperty(`/type/${type}`, name)).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { declaredProperty, typeDefinition, typeKeys } from "../../../src/catalog/types.ts";

const definitions = typeKeys().map((key) => ({ key, definition: typeDefinition(key)! }));

describe("the type definitions", () => {
  it("name every type of records", () => {
    expect(
      typeKeys()
        .map((key) => key.replace("/type/", ""))
        .sort(),
    ).toEqual(
      (
        "edition work author list series user language usergroup permission library local_id rawtext page template " +
        "content doc home macro tag subject collection scan_location publisher place scan_record redirect object " +
        "delete uri i18n i18n_page type author_role link toc_item volume translated_string contribution property " +
        "backreference key string text int boolean float datetime"
      )
        .split(" ")
        .sort(),
    );
  });

  it("have the shape that their types promise", () => {
    for (const { key, definition } of definitions) {
      expect(Object.keys(definition), key).toEqual(["name", "kind", "properties"]);
      expect(definition.name, key).toMatch(/^[A-Z][\w ]*$/i);
      expect(["primitive", "regular", "embeddable"], key).toContain(definition.kind);
      for (const property of definition.properties) {
        expect(Object.keys(property), key).toEqual(["name", "expected_type", "unique"]);
        expect(property.name, key).toMatch(/^[a-z][a-z0-9_]*$/);
        expect(typeof property.unique, key).toBe("boolean");
        expect(typeDefinition(property.expected_type), `${key} ${property.name}`).toBeDefined();
      }
      const names = definition.properties.map(({ name }) => name);
      expect(new Set(names).size, key).toBe(names.length);
    }
  });

  it.each([
    ["primitive", "key string text int boolean float datetime"],
    ["embeddable", "author_role link toc_item volume translated_string contribution property backreference"],
  ])("are %s for just these", (kind, names) => {
    const found = definitions.filter(({ definition }) => definition.kind === kind).map(({ key }) => key);
    expect(found.sort()).toEqual(
      names
        .split(" ")
        .map((name) => `/type/${name}`)
        .sort(),
    );
  });

  it("declare nothing in types without fields", () => {
    for (const name of ["publisher", "object", "delete", "uri", "i18n", "i18n_page", "string", "key"]) {
      expect(typeDefinition(`/type/${name}`)?.properties, name).toEqual([]);
    }
  });
});

describe("declaredProperty", () => {
  it.each([
    ["edition", "title", "string", true],
    ["edition", "title_prefix", "string", true],
    ["edition", "works", "work", false],
    ["edition", "authors", "author", false],
    ["edition", "languages", "language", false],
    ["edition", "description", "text", true],
    ["edition", "table_of_contents", "toc_item", false],
    ["edition", "number_of_pages", "int", true],
    ["edition", "isbn_13", "string", false],
    ["edition", "ocaid", "string", true],
    ["edition", "scan_on_demand", "boolean", true],
    ["work", "authors", "author_role", false],
    ["work", "covers", "int", false],
    ["work", "cover_edition", "edition", true],
    ["work", "genres", "tag", false],
    ["work", "links", "link", false],
    ["author", "bio", "text", true],
    ["author", "eastern_order", "boolean", true],
    ["author", "alternate_names", "string", false],
    ["series", "works", "work", false],
    ["language", "current", "language", true],
    ["user", "permission", "permission", true],
    ["usergroup", "members", "user", false],
    ["tag", "genre", "tag", false],
    ["place", "latitude", "float", true],
    ["scan_record", "sponsor", "user", true],
    ["author_role", "author", "author", true],
    ["volume", "volume_number", "int", true],
    ["type", "properties", "property", false],
    ["property", "unique", "boolean", true],
    ["redirect", "location", "string", true],
  ])("/type/%s %s", (type, name, expected, unique) => {
    expect(declaredProperty(`/type/${type}`, name)).toEqual({
      name,
      expected_type: `/type/${expected}`,
      unique,
    });
  });

  it.each([
    ["edition", "identifiers"],
    ["edition", "covers"],
    ["edition", "links"],
    ["edition", "contributors"],
    ["edition", "subject_places"],
    ["edition", "oclc_number"],
    ["work", "excerpts"],
    ["work", "series"],
    ["work", "identifiers"],
    ["author", "fuller_name"],
    ["author", "remote_ids"],
    ["author", "photos"],
    ["list", "seeds"],
    ["series", "name"],
    ["language", "identifiers"],
    ["tag", "slugs"],
    ["edition", "constructor"],
    ["nothing", "title"],
  ])("/type/%s %s is free", (type, name) => {
    expect(declaredProperty(`/type/${type}`, name)).toBeUndefined();
  });
});

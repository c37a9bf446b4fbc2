import { describe, expect, it } from "vitest";
import type { CatalogRecord } from "../../../../src/catalog/record.ts";
import { areDatesCompatible } from "../../../../src/import/records/resolve-authors.ts";

describe("areDatesCompatible", () => {
  it.each([
    ["1829-09-14", "14 September 1829", true],
    ["1829-9-4", "September 4th, 1829", true],
    ["9/14/1829", "September 14, 1829", true],
    ["9/14/1829", "1829-09-15", false],
    ["14 Septembre 1829", "1829", true],
    ["14 Septembre 1829", "1829-09-15", true],
    ["c1829", "1829?", true],
    ["18290", "1829", true],
    ["18290", "ca. 1829", false],
    ["5th cent.", "1829", false],
    ["1829", "5th cent.", false],
    ["1829", " ", true],
    ["13/13/1900", "5 May 1900", true],
    ["13/13/1900", "5 May 1901", false],
    ["32 May 1900", "1900-05-31", true],
  ])("born %j and %j: %j", (a, b, expected) => {
    expect(areDatesCompatible({ birth_date: a }, { birth_date: b })).toBe(expected);
  });

  it.each<[CatalogRecord, CatalogRecord, boolean]>([
    [{}, {}, true],
    [{ birth_date: "1829" }, { death_date: "1910" }, true],
    [{ birth_date: "1829", death_date: "1910" }, { birth_date: "1829", death_date: "1910." }, true],
    [{ birth_date: "1829", death_date: "1910" }, { birth_date: "1829", death_date: "1911" }, false],
    [{ birth_date: "1829", death_date: "1910" }, { birth_date: "1830", death_date: "1910" }, false],
    [{ date: "fl. 1829" }, { date: "1829" }, true],
    [{ date: "1829" }, { date: "1830" }, false],
  ])("%j and %j: %j", (author, stored, expected) => {
    expect(areDatesCompatible(author, stored)).toBe(expected);
  });
});

import { describe, expect, it } from "vitest";
import type { FacetRequest } from "../../../src/search/engine.ts";
import { FACET_VALUES_MAX, pickValues, valuePhrase, valuesNeeded } from "../../../src/search/facets.ts";

const request = (more: Partial<FacetRequest> = {}): FacetRequest => ({
  field: "subject_facet",
  limit: 100,
  sort: "count",
  offset: 0,
  mincount: 0,
  ...more,
});
const VALUES = [
  { value: "b", count: 2 },
  { value: "c", count: 5 },
  { value: "a", count: 2 },
  { value: "É", count: 1 },
  { value: "none", count: 0 },
];
const picked = (more: Partial<FacetRequest>) => pickValues(VALUES, request(more)).map(({ value }) => value);

describe("pickValues", () => {
  it.each([
    [{}, ["c", "a", "b", "É"]],
    [{ limit: 2 }, ["c", "a"]],
    [{ limit: 2, offset: 1 }, ["a", "b"]],
    [{ limit: 0 }, []],
    [{ limit: -1, offset: 1 }, ["a", "b", "É"]],
    [{ sort: "index" as const }, ["a", "b", "c", "É"]],
    [{ mincount: 2 }, ["c", "a", "b"]],
    [{ contains: "e" }, ["É"]],
    [{ contains: "A" }, ["a"]],
  ])("%j", (more, expected) => {
    expect(picked(more)).toEqual(expected);
  });

  it("needs all values unless the most frequent are enough", () => {
    expect(valuesNeeded(request({ limit: 10, offset: 5 }))).toBe(15);
    for (const more of [{ limit: -1 }, { sort: "index" as const }, { contains: "x" }]) {
      expect(valuesNeeded(request(more))).toBe(FACET_VALUES_MAX);
    }
  });
});

it.each([
  ["language", "eng", 'token:"l=eng"'],
  ["author_facet", "OL1A Ann Lee", 'token:"ak=_4f_4c1_41"'],
  ["publisher_facet", "A B", 'token:"uf=_41_20_42"'],
])("finds the works with a %s of %j", (field, value, expected) => {
  expect(valuePhrase(field, value)).toBe(expected);
});

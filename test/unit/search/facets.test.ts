import { describe, expect, it } from "vitest";
import type { FacetRequest } from "../../../src/search/engine.ts";
import {
  FACET_VALUES_MAX,
  facetColumnOf,
  fieldValuesOf,
  pickValues,
  countNeededValues,
} from "../../../src/search/facets.ts";

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
    expect(countNeededValues(request({ limit: 10, offset: 5 }))).toBe(15);
    for (const more of [{ limit: -1 }, { sort: "index" as const }, { contains: "x" }]) {
      expect(countNeededValues(request(more))).toBe(FACET_VALUES_MAX);
    }
  });
});

it.each([
  ["language", "language"],
  ["author_facet", "author_key"],
  ["place_key", "place"],
  ["has_fulltext", "ebook_access"],
  ["isbn", undefined],
  ["nothing", undefined],
])("counts %s by the column %s", (field, column) => {
  expect(facetColumnOf(field)).toBe(column);
});

it("an author is counted under both names during a rename", () => {
  const values = [
    { value: "OL1A Ann Lee", count: 3 },
    { value: "OL2A ", count: 2 },
    { value: "OL1A Ann Li", count: 1 },
  ];
  expect(fieldValuesOf("author_facet", values)).toEqual(values);
  expect(fieldValuesOf("author_key", values)).toEqual([
    { value: "OL1A", count: 4 },
    { value: "OL2A", count: 2 },
  ]);
});

it.each([
  ["has_fulltext", [2, 5]],
  ["public_scan_b", [1, 6]],
])("access levels of %s are summed", (field, [open, closed]) => {
  const levels = [
    { value: "public", count: 1 },
    { value: "printdisabled", count: 1 },
    { value: "unclassified", count: 2 },
    { value: "no_ebook", count: 3 },
  ];
  expect(fieldValuesOf(field, levels)).toEqual([
    { value: "true", count: open },
    { value: "false", count: closed },
  ]);
});

import { describe, expect, it } from "vitest";
import {
  SEED_NOTES_LENGTH,
  SEED_SUBJECT_LENGTH,
  normalizeSeed,
  normalizeSeeds,
} from "../../../../src/catalog/lists/seeds.ts";
import type { Json } from "../../../../src/catalog/record.ts";

const work = { key: "/works/OL1W" };

describe("normalizeSeed", () => {
  it.each<[Json, Json]>([
    ["/works/OL1W", work],
    [" /works/OL1W ", work],
    ["OL1W", work],
    ["ol1w", work],
    ["OL2M", { key: "/books/OL2M" }],
    ["OL3A", { key: "/authors/OL3A" }],
    [work, work],
    [{ key: "/works/OL1W", title: "Dune" }, work],
    ["subject:love", "subject:love"],
    ["place:san_francisco", "place:san_francisco"],
    ["person:tolkien", "person:tolkien"],
    ["time:1900s", "time:1900s"],
    ["/subjects/love", "subject:love"],
    ["/subjects/science,_fiction", "subject:science_fiction"],
    ["/subjects/place:san_francisco", "place:san_francisco"],
    ["/subjects/a/b", "subject:b"],
    [{ key: "/subjects/person:tolkien" }, "person:tolkien"],
    [{ thing: { key: "/subjects/love" }, notes: "lost" }, "subject:love"],
    [{ thing: work }, work],
    [{ thing: work, notes: " ", position: null }, work],
    [
      { thing: work, notes: "why", position: "" },
      { thing: work, notes: "why" },
    ],
    [
      { thing: work, position: 2, mood: "x" },
      { thing: work, position: "2" },
    ],
    [
      { thing: work, notes: { type: "/type/text", value: "why" } },
      { thing: work, notes: "why" },
    ],
  ])("stores %j as %j", (input, seed) => {
    expect(normalizeSeed(input)).toEqual({ seed });
  });

  it.each<[Json]>([[""], ["  "], [{ key: "" }], [{ key: " " }], [{ thing: { key: "" }, notes: "x" }]])(
    "reports %j as empty",
    (input) => expect(normalizeSeed(input)).toEqual({ failure: { key: "bad_request.empty_seed" } }),
  );

  it.each<[Json]>([
    [null],
    [7],
    [[]],
    [{}],
    [{ thing: {} }],
    [{ key: 7 }],
    ["foo"],
    ["OL1X"],
    ["OL1L"],
    ["/lists/OL1L"],
    ["/people/joe/lists/OL1L"],
    ["/works/OL1W/Dune"],
    ["/works/ol1w"],
    ["/languages/eng"],
    ["/subjects/"],
    ["subject:"],
    [`subject:${"x".repeat(SEED_SUBJECT_LENGTH)}`],
    [{ thing: work, notes: ["x"] }],
    [{ thing: work, position: {} }],
  ])("refuses %j", (input) => expect(normalizeSeed(input)).toEqual({ failure: { key: "bad_request.seed" } }));

  it("limits notes", () => {
    const fits = "x".repeat(SEED_NOTES_LENGTH);
    expect(normalizeSeed({ thing: work, notes: fits })).toHaveProperty("seed");
    expect(normalizeSeed({ thing: work, notes: `${fits}x` })).toHaveProperty("failure");
  });

  it("uses the prefix of the service", () => {
    expect(normalizeSeed("XY1W", "XY")).toEqual({ seed: { key: "/works/XY1W" } });
    expect(normalizeSeed("/works/OL1W", "XY")).toEqual({ failure: { key: "bad_request.seed" } });
  });
});

describe("normalizeSeeds", () => {
  it("keeps the first of equal seeds", () => {
    const annotated = { thing: work, notes: "why" };
    expect(normalizeSeeds([annotated, "OL1W", "subject:x", "/subjects/x"])).toEqual({
      seeds: [annotated, "subject:x"],
    });
  });

  it("reports the first failure", () => {
    expect(normalizeSeeds(["OL1W", "", "foo"])).toEqual({ failure: { key: "bad_request.empty_seed" } });
  });

  it("keeps odd seeds that are stored already", () => {
    const stored = [{ key: "/lists/OL5L" }];
    expect(normalizeSeeds(["/lists/OL5L", "OL1W"], "OL", stored)).toEqual({ seeds: [stored[0], work] });
    expect(normalizeSeeds(["/lists/OL6L"], "OL", stored)).toEqual({ failure: { key: "bad_request.seed" } });
  });
});

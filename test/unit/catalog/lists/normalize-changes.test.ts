import { describe, expect, it } from "vitest";
import {
  LIST_CHANGE_DATA_LENGTH,
  applySeedChange,
  buildListChangeData,
  followSeeds,
} from "../../../../src/catalog/lists/list-change.ts";
import { edgeOf, withEdge, withoutEdge } from "../../../../src/catalog/lists/series.ts";
import { parseSeeds, formatSeeds } from "../../../../src/catalog/lists/list-form.ts";
import { normalizeSeeds } from "../../../../src/catalog/lists/seeds.ts";

const ref = (id: number) => ({ key: `/works/OL${id}W` });

describe("applySeedChange", () => {
  const stored = [ref(1), "subject:love", { thing: ref(2), notes: "old", position: "4" }];

  it("appends new seeds and removes others", () => {
    expect(applySeedChange(stored, { add: [ref(3)], remove: ["subject:love"] })).toEqual([
      ref(1),
      stored[2],
      ref(3),
    ]);
  });

  it("is undefined when nothing changes", () => {
    expect(
      applySeedChange(stored, { add: [ref(2), "subject:love"], remove: ["/works/OL9W"] }),
    ).toBeUndefined();
    expect(applySeedChange(stored, { add: [ref(9)], remove: ["/works/OL9W"] })).toBeUndefined();
    expect(applySeedChange([], { add: [], remove: [] })).toBeUndefined();
  });

  it("removes a seed that is both added and removed", () => {
    expect(applySeedChange(stored, { add: [ref(1)], remove: ["/works/OL1W"] })).toEqual(stored.slice(1));
  });

  it("updates members of an existing seed", () => {
    const add = [
      { thing: ref(1), notes: "new" },
      { thing: ref(2), notes: "new" },
    ];
    expect(applySeedChange(stored, { add, remove: [] })).toEqual([
      { thing: ref(1), notes: "new" },
      "subject:love",
      { thing: ref(2), notes: "new", position: "4" },
    ]);
  });

  it("recognizes old keys", () => {
    const old = [{ key: "/b/OL1M" }, { key: "/a/OL1A" }];
    expect(applySeedChange(old, { add: [{ key: "/books/OL1M" }], remove: ["/authors/OL1A"] })).toEqual([
      old[0],
    ]);
  });
});

describe("series of a work", () => {
  const series = { key: "/series/OL5L" };
  const other = { series: { key: "/series/OL6L" }, position: "9" };
  const work = { key: "/works/OL1W", title: "Emma", series: ["A string", other] };

  it("get a new edge at the end", () => {
    const after = withEdge(work, { series, position: "1" });
    expect(after).toEqual({ ...work, series: [...work.series, { series, position: "1" }] });
    expect(edgeOf(after, series.key)).toEqual({ position: "1" });
    expect(edgeOf(work, series.key)).toBeUndefined();
  });

  it("update an edge, or replace all of it", () => {
    const before = withEdge(work, { series, position: "1", notes: "first" });
    expect(edgeOf(withEdge(before, { series, position: "2" }), series.key)).toEqual({
      position: "2",
      notes: "first",
    });
    expect(edgeOf(withEdge(before, { series }, { all: true }), series.key)).toEqual({});
  });

  it("are the same object when nothing changes", () => {
    const before = withEdge(work, { series, position: "1" });
    expect(withEdge(before, { series })).toBe(before);
    expect(withEdge(before, { series, position: "1" })).toBe(before);
    expect(withoutEdge(work, series.key)).toBe(work);
  });

  it("lose all edges of one series", () => {
    const twice = { ...work, series: [{ series }, other, { series, position: "2" }] };
    expect(withoutEdge(twice, series.key)).toEqual({ ...work, series: [other] });
  });

  it("keep other members of an edge", () => {
    const before = { ...work, series: [{ series, type: { key: "/type/x" } }] };
    expect(withEdge(before, { series, notes: "n" }).series).toEqual([
      { type: { key: "/type/x" }, series, notes: "n" },
    ]);
  });
});

describe("parseSeeds and formatSeeds", () => {
  it.each([
    [[ref(1), "subject:love"], "/works/OL1W\nsubject:love"],
    [[{ thing: ref(1), position: "2" }], "/works/OL1W | 2"],
    [
      [{ thing: ref(1), notes: "Read this | first\nor \\ never" }],
      "/works/OL1W |  | Read this \\| first\\nor \\\\ never",
    ],
    [["subject:a,b"], "subject:a,b |"],
    [[], ""],
  ])("%j", (seeds, text) => {
    expect(formatSeeds(seeds)).toBe(text);
    expect(normalizeSeeds(parseSeeds(text))).toEqual({ seeds });
  });

  it("accept commas and empty lines", () => {
    expect(parseSeeds("OL1W, OL2M,,\r\n\n subject:x ")).toEqual(["OL1W", "OL2M", "subject:x"]);
    expect(parseSeeds(" | \nOL1W | 1 | a | b")).toEqual([
      { thing: { key: "OL1W" }, position: "1", notes: "a | b" },
    ]);
  });
});

describe("buildListChangeData", () => {
  it("has the list, additions, removals and seeds", () => {
    expect(buildListChangeData("/lists/OL1L", { seeds: ["a"], add: ["a"], remove: [] })).toEqual({
      list: { key: "/lists/OL1L" },
      add: ["a"],
      remove: [],
      seeds: ["a"],
    });
  });

  it("omits what is too long (Q256)", () => {
    const long = ["x".repeat(LIST_CHANGE_DATA_LENGTH)];
    expect(buildListChangeData("/lists/OL1L", { add: ["a"], remove: [], seeds: long })).toEqual({
      list: { key: "/lists/OL1L" },
      add: ["a"],
      remove: [],
    });
    expect(buildListChangeData("/lists/OL1L", { add: long })).toEqual({ list: { key: "/lists/OL1L" } });
  });
});

describe("seeds of merged records", () => {
  const targets = new Map([
    ["/works/OL2W", "/works/OL1W"],
    ["/works/OL3W", "/works/OL1W"],
  ]);
  const noted = (id: number, notes: string, position?: string) => ({
    thing: ref(id),
    notes,
    ...(position === undefined ? {} : { position }),
  });

  it.each([
    ["keep their place", [ref(9), ref(2), "subject:love"], [ref(9), ref(1), "subject:love"]],
    ["keep notes and position", [noted(2, "Blue", "4")], [noted(1, "Blue", "4")]],
    ["become one with their target", [ref(1), ref(9), ref(2)], [ref(1), ref(9)]],
    ["become one with each other", [noted(2, "Blue"), ref(3)], [noted(1, "Blue")]],
    ["give their notes to the first", [ref(1), noted(2, "Blue", "4")], [noted(1, "Blue", "4")]],
    ["join different notes", [noted(1, "Red", "1"), noted(2, "Blue", "4")], [noted(1, "Red\nBlue", "1")]],
    ["state equal notes once", [noted(1, "Red"), noted(2, "Red")], [noted(1, "Red")]],
    [
      "keep the first of notes that are too long",
      [noted(1, "r".repeat(4096)), noted(2, "B")],
      [noted(1, "r".repeat(4096))],
    ],
  ])("%s", (_what, before, after) => {
    expect(followSeeds(before, targets)).toEqual(after);
  });

  it("leave a list without them as it is", () => {
    const seeds = [ref(1), ref(1), "subject:love"];
    expect(followSeeds(seeds, targets)).toBe(seeds);
  });
});

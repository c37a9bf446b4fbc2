import { describe, expect, it } from "vitest";
import { cutLists } from "../../../../src/catalog/editing/members.ts";
import { absorbWork } from "../../../../src/catalog/editing/merge-rules.ts";
import type { Json } from "../../../../src/catalog/record.ts";
import { prepare, stored, told, work } from "./fixture.ts";

const many = (count: number): Json[] => Array.from({ length: count }, (_, index) => `Subject ${index}`);
const cut = (subjects: Json, before?: Json): Json | undefined =>
  cutLists({ type: { key: "/type/work" }, subjects }, before === undefined ? {} : { subjects: before })[
    "subjects"
  ];

describe("cutLists", () => {
  it.each<[string, Json, Json | undefined, Json]>([
    ["leaves short lists", ["a", "b"], undefined, ["a", "b"]],
    ["cuts long lists", many(1005), undefined, many(1000)],
    ["removes long texts", ["x".repeat(501), "b"], undefined, ["b"]],
    [
      "keeps what was stored",
      [...many(1005), "x".repeat(501)],
      [...many(1004), "x".repeat(501)],
      [...many(1005)],
    ],
  ])("%s", (_what, subjects, before, expected) => {
    expect(cut(subjects, before)).toEqual(expected);
  });

  it("leaves other types alone", () => {
    const list = { type: { key: "/type/list" }, seeds: many(1005) };
    expect(cutLists(list)).toBe(list);
  });
});

describe("absorbWork", () => {
  it("joins lists up to the limit", () => {
    const subjects = (from: string): Json[] => many(600).map((subject) => `${from} ${String(subject)}`);
    const [master, duplicate] = ["A", "B"].map((name) => work({ subjects: subjects(name) }));
    const merged = absorbWork(master ?? {}, duplicate ?? {})["subjects"] as Json[];
    expect([merged.length, merged[599], merged[999]]).toEqual([1000, "A Subject 599", "B Subject 399"]);
  });
});

describe("prepareWrites", () => {
  it("refuses unknown members of patrons' lists", () => {
    const list = { key: "/people/ann/lists/OL1L", type: "/type/list", name: "x", seeds: [], tags: ["a"] };
    const told400 = ["400 Bad Property: 'self' @self"];
    const rules = { anyKey: false, mayCreate: () => true, mayDelete: false };
    expect(told(prepare([{ ...list, self: [1] }], { rules }).failures)).toEqual(told400);
    expect(told(prepare([{ ...list, self: [1] }]).failures)).toEqual([]);
    expect(told(prepare([{ ...list, key: "/lists/OL1L", self: [1] }], { rules }).failures)).toEqual([]);
    expect(told(prepare([list], { rules }).failures)).toEqual([]);
    const before = [stored({ ...list, self: [1] })];
    expect(told(prepare([{ ...list, self: [1], name: "y" }], { before, rules }).failures)).toEqual([]);
  });

  it.each<[string, Json, Json, string[]]>([
    ["the most values", many(1000), [], []],
    ["too many values", many(1001), [], ["400 A list can have at most 1000 values, not 1001 @subjects"]],
    ["fewer than were stored", many(1001), many(1002), []],
    ["the longest text", ["x".repeat(500)], [], []],
    [
      "too long a text",
      ["x".repeat(501)],
      [],
      ["400 A text in a list can have at most 500 characters, not 501 @subjects"],
    ],
    ["a long text that was stored", ["x".repeat(501), "new"], ["x".repeat(501)], []],
  ])("checks lists with %s", (_what, subjects, before, expected) => {
    const { failures } = prepare([work({ subjects })], { before: [stored(work({ subjects: before }))] });
    expect(told(failures)).toEqual(expected);
  });
});

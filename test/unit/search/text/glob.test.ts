import { describe, expect, it } from "vitest";
import { matchesGlob } from "../../../../src/search/query/query.ts";

describe("matchesGlob", () => {
  it.each([
    ["abc", ["abc"], true],
    ["abc", ["ab"], false],
    ["abc", ["", ""], true],
    ["", ["", ""], true],
    ["abc", ["a", "c"], true],
    ["ac", ["a", "c"], true],
    ["a", ["a", "a"], false],
    ["aa", ["a", "a"], true],
    ["abcbd", ["a", "b", "d"], true],
    ["abd", ["a", "b", "b", "d"], false],
    ["xabc", ["a", ""], false],
    ["", [], true],
  ])("%j of %j: %s", (text, parts, expected) => {
    expect(matchesGlob(text, parts)).toBe(expected);
  });
});

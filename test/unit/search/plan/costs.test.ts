import { describe, expect, it } from "vitest";
import { costlyWordsOf, requireAffordable } from "../../../../src/search/plan/costs.ts";
import {
  type Match,
  beginPhrase,
  disjoinMatches,
  excludeMatch,
  matchInColumns,
  matchTextOf,
  matchTokens,
} from "../../../../src/search/plan/match.ts";

const match = (text: string): Match =>
  matchInColumns(["title"], text.replace("*", "").split(" "), text.endsWith("*"));
const costs = (...texts: [string, ...string[]]) => {
  const [first, ...more] = texts.map(match);
  const words = first === undefined ? [] : costlyWordsOf(disjoinMatches([first, ...more]));
  return Object.fromEntries(
    words.map(({ word, isBeginning, cost }) => [isBeginning ? `${word}*` : word, cost]),
  );
};

describe("costlyWordsOf", () => {
  it.each<[[string, ...string[]], Record<string, number>]>([
    [["the lord of the rings"], {}],
    [["a a"], {}],
    [["a a a"], { a: 12 }],
    [["a b c", "a c", "a d", "b d"], { a: 12 }],
    [["har*"], { "har*": 7 }],
    [["the har*", "the har*", "the"], { "har*": 10 }],
  ])("measures words that repeat, and beginnings: %j", (texts, expected) => {
    expect(costs(...texts)).toEqual(expected);
  });

  it("counts words that are excluded", () => {
    expect(costlyWordsOf(excludeMatch(match("x"), match("a b a b a")))).toEqual([
      { part: "a b a b a", word: "a", isBeginning: false, cost: 12 },
    ]);
  });
});

describe("requireAffordable", () => {
  it("names the part that costs most", () => {
    const words = costlyWordsOf(disjoinMatches([match("a a a"), match("b b b b")]));
    requireAffordable(words, [1_000_000, 3_000_000]);
    expect(() => requireAffordable(words, [1_000_000, 4_000_000])).toThrow("“b b b b” is too broad");
  });
});

describe("long phrases", () => {
  it("are matched in parts that share a token", () => {
    const tokens = Array.from({ length: 40 }, (_, at) => `t${at}`);
    const text = matchTextOf(matchTokens([{ name: "title", stemmed: false }], tokens));
    const parts = [tokens.slice(0, 32), tokens.slice(31)];
    expect(text).toBe(parts.map((part) => `{title} : "${part.join(" ")}"`).join(" AND "));
  });

  it.each([
    ["the decline and fall of the roman empire of the", "the decline and fall of the roman empire of"],
    ["a a a", "a a"],
    ["a b", "a b"],
  ])("begin %s with %s", (text, expected) => {
    expect(beginPhrase(text.split(" ")).join(" ")).toBe(expected);
  });
});

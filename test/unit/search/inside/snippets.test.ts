import { describe, expect, it } from "vitest";
import { cutSnippets, literalTokensOf, splitSnippet } from "../../../../src/search/inside/snippets.ts";

const cut = (text: string, phrase: string, max = 5) => cutSnippets(text, literalTokensOf(phrase), max);

describe("cutSnippets", () => {
  it.each([
    [
      "a truth universally acknowledged, that",
      "universally acknowledged",
      ["a truth {{{universally}}} {{{acknowledged}}}, that"],
    ],
    [
      "“Universally”\n  (acknowledged)",
      "universally acknowledged",
      ["“{{{Universally}}}” ({{{acknowledged}}})"],
    ],
    ["the wi-fi of O’Brien's house", "fi of obrien", []],
    ["the wi-fi of O’Brien's house", "fi of o brien", ["the {{{wi-fi}}} {{{of}}} {{{O’Brien's}}} house"]],
    ["本は村上春樹の本", "村上", ["本は{{{村上}}}春樹の本"]],
    ["Łódź <b>", "lodz", ["{{{Łódź}}} <b>"]],
    ["a a a", "a a", ["{{{a}}} {{{a}}} a"]],
    ["no match", "other", []],
    ["", "x", []],
    ["x", "", []],
  ])("%j: %s", (text, phrase, expected) => {
    expect(cut(text, phrase)).toEqual(expected);
  });

  it("shows twelve words on each side", () => {
    const text = `${"b ".repeat(40)}here ${"a ".repeat(40)}`;
    expect(cut(text, "here")).toEqual([`${"b ".repeat(12)}{{{here}}}${" a".repeat(12)}`]);
  });

  it("does not overlap, and marks all visible matches", () => {
    const text = `here x here ${"y ".repeat(20)}here ${"z ".repeat(50)}here`;
    const snippets = cut(text, "here");
    expect(snippets).toHaveLength(3);
    expect(snippets[0]?.match(/\{\{\{here\}\}\}/g)).toHaveLength(2);
    expect(snippets[1]?.match(/\by\b/g)).toHaveLength(10);
    expect(cut(text, "here", 2)).toEqual(snippets.slice(0, 2));
    expect(cut(text, "here", 0)).toEqual([]);
  });
});

describe("splitSnippet", () => {
  it.each([
    [
      "never came. But {{{Lokesh}}} had never",
      [
        ["never came. But ", false],
        ["Lokesh", true],
        [" had never", false],
      ],
    ],
    [
      "{{{red}}} rising and {{{red}}} falling",
      [
        ["red", true],
        [" rising and ", false],
        ["red", true],
        [" falling", false],
      ],
    ],
    [
      "ends with {{{truncated",
      [
        ["ends with ", false],
        ["truncated", true],
      ],
    ],
    ["plain }}} text", [["plain }}} text", false]]],
    ["", []],
  ])("%s", (snippet, expected) => {
    expect(splitSnippet(snippet).map(({ text, isMatch }) => [text, isMatch])).toEqual(expected);
  });
});

import { describe, expect, it } from "vitest";
import { literalTokens, normalizePhrase, phraseExpression } from "../../../../src/search/inside/snippets.ts";

describe("normalizePhrase", () => {
  it.each([
    ["it was the best of times", '"it was the best of times"'],
    ['"whale"', '"whale"'],
    ["“it was the best of times”", '"it was the best of times"'],
    ["„x‟", '"x"'],
    ["he said “hello there” softly", '"he said hello there softly"'],
    ['"it was the best', '"it was the best"'],
    ['12"record', '"12 record"'],
    ['a""b', '"a b"'],
    ['"best of times" "worst of times"', '"best of times worst of times"'],
    ["  it was  the best ", '"it was the best"'],
    ["it\nwas\tthe\r\nbest", '"it was the best"'],
    [null, ""],
    [undefined, ""],
    ["", ""],
    ["   ", ""],
    ['"', ""],
    ['""', ""],
    ["“”", ""],
    ["golum AND smeagol", '"golum AND smeagol"'],
    ["title: the sea", '"title: the sea"'],
    ["best of tim*", '"best of tim*"'],
    ["who are you?", '"who are you?"'],
    ["it's ‘single’", '"it\'s ‘single’"'],
  ])("%j", (text, expected) => {
    expect(normalizePhrase(text)).toBe(expected);
    expect(normalizePhrase(normalizePhrase(text))).toBe(expected);
  });
});

describe("phraseExpression", () => {
  it.each([
    ['"golum AND smeagol"', '"golum and smeagol"'],
    ['"title: the sea"', '"title the sea"'],
    ['"best of tim*"', '"best of tim"'],
    ['"Running O\'Brien 1,000"', '"running o brien 1 000"'],
    ['"村上春樹"', '"村 上 春 樹"'],
  ])("%s", (phrase, expected) => {
    expect(phraseExpression(literalTokens(phrase))).toBe(expected);
  });

  it("has fifty words at most", () => {
    expect(phraseExpression(literalTokens("word ".repeat(500))).split(" ")).toHaveLength(50);
  });
});

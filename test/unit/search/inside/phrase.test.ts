import { describe, expect, it } from "vitest";
import { literalTokensOf, toPhraseExpression } from "../../../../src/search/inside/snippets.ts";

describe("toPhraseExpression", () => {
  it.each([
    ['"golum AND smeagol"', '"golum and smeagol"'],
    ['"title: the sea"', '"title the sea"'],
    ['"best of tim*"', '"best of tim"'],
    ['"Running O\'Brien 1,000"', '"running o brien 1 000"'],
    ["he said “hello there” softly", '"he said hello there softly"'],
    ['"best of times" "worst of times"', '"best of times worst of times"'],
    ['12"record', '"12 record"'],
    ["it's ‘single’", '"it single"'],
    ['"村上春樹"', '"村 上 春 樹"'],
  ])("%s", (phrase, expected) => {
    expect(toPhraseExpression(literalTokensOf(phrase))).toBe(expected);
  });

  it("has at most fifty words", () => {
    expect(toPhraseExpression(literalTokensOf("word ".repeat(500))).split(" ")).toHaveLength(32);
  });
});

import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../../src/search/text/words.ts";

const partsOfWords = (text: string) => wordsOf(text).map((word) => word.parts.join(" "));

describe("wordsOf", () => {
  it.each([
    ["The Hobbit", ["the", "hobbit"]],
    ["wi-fi", ["wi fi"]],
    ["O'Brien", ["o brien"]],
    ["O’Brien’s", ["o brien"]],
    ["1,000", ["1 000"]],
    ["Catch-22", ["catch 22"]],
    ["2nd ed.", ["2 nd", "ed"]],
    ["Harry's dogs' 's-Hertogenbosch", ["harry", "dogs", "s hertogenbosch"]],
    ["C# and C++, a+b #1", ["c#", "and", "c++", "a b", "1"]],
    ["J.R.R. Tolkien", ["j r r", "tolkien"]],
    ["J. R. R. Tolkien", ["j r r", "tolkien"]],
    ["Tolkien, J R R", ["tolkien", "j r r"]],
    ["J.R. R. Tolkien", ["j r r", "tolkien"]],
    ["JRR Tolkien", ["jrr", "tolkien"]],
    ["Rowling, J. K., A. Author", ["rowling", "j k", "a", "author"]],
    ["what a b is", ["what", "a", "b", "is"]],
    ["村上春樹", ["村", "上", "春", "樹"]],
    ["ﾊﾘｰﾎﾟｯﾀｰ", ["ハ", "リ", "ー", "ポ", "ッ", "タ", "ー"]],
    ["1Q84 村上v2", ["1 q 84", "村", "上", "v 2"]],
    ["กข", ["ก", "ข"]],
    ["हिन्दी साहित्य", ["हिन्दी", "साहित्य"]],
    ["Война и мир", ["воина", "и", "мир"]],
    ["一、二。", ["一", "二"]],
    ["foo_bar=baz", ["foo bar baz"]],
    ["!!! --- ♥", []],
    ["", []],
    ["  \t\n ", []],
  ])("%s", (text, expected) => {
    expect(partsOfWords(text)).toEqual(expected);
  });

  it("returns the positions of words in the given text", () => {
    const text = "  Ｔhe “Łódź” 村上x J. R. end";
    const found = wordsOf(text).map(({ start, end }) => text.slice(start, end));
    expect(found).toEqual(["Ｔhe", "“Łódź”", "村", "上", "x", "J. R.", "end"]);
  });

  it("makes tokens that the database's tokenizer does not split", () => {
    const text = Array.from({ length: 0x3000 }, (_, code) => `x${String.fromCodePoint(code)}y`).join(" ");
    const tokens = wordsOf(text).flatMap((word) => word.parts);
    expect(tokens.filter((token) => !/^[a-z0-9#+\u0080-\u{10ffff}]+$/u.test(token))).toEqual([]);
  });
});

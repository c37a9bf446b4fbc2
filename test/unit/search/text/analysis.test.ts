import { describe, expect, it } from "vitest";
import { analysisOf, toIndexText } from "../../../../src/search/text/analysis.ts";
import { memoize } from "../../../../src/search/text/memo.ts";
import { catenationOf, wordsOf } from "../../../../src/search/text/words.ts";

const PIECES = [
  "A",
  "B",
  "a",
  "s",
  "J.",
  "The",
  "tale",
  "ISBN",
  "History,",
  "1984",
  "2nd",
  "9",
  "C++",
  "x.",
  "wi-fi",
];
const MORE = [
  "Étude",
  "東京",
  "o'Neil",
  "dog's",
  "(ed.)",
  "end!?",
  "Mr.",
  "U.S.",
  "to:",
  "-",
  "B,",
  " ",
  "\t",
  "_",
];
const TEXTS = 3000;
const WORDS_MAX = 6;

/** Texts of pieces that are hard to tell apart: the same in every run. */
function* texts(): Generator<string> {
  const pieces = [...PIECES, ...MORE];
  let state = 1;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % limit;
  };
  for (let count = 0; count < TEXTS; count += 1) {
    const words = Array.from({ length: 1 + next(WORDS_MAX) }, () => pieces[next(pieces.length)]);
    yield words.join(next(20) === 0 ? "" : " ");
  }
}

it("never makes tokens of exact values from text", () => {
  for (const text of [...texts(), "l=eng", "=l=eng=", "a =b"]) {
    for (const stemmed of [true, false])
      expect(toIndexText([text, text], { stemmed })).not.toMatch(/\S=|=\S/);
  }
});

describe("analysisOf", () => {
  it("finds the same words as wordsOf", () => {
    for (const text of texts()) {
      const words = wordsOf(text);
      const { tokens, catenations, spaced } = analysisOf(text);
      expect({ text, tokens, catenations, spaced }).toEqual({
        text,
        tokens: words.flatMap(({ parts }) => parts),
        catenations: words.flatMap((word) => catenationOf(word) ?? []),
        spaced: words.flatMap(({ parts, unspaced }) => (unspaced ? [] : parts)),
      });
    }
  });

  it("returns remembered texts unchanged", () => {
    const text = "Wi-Fi for Dogs";
    const first = toIndexText([text, text], { stemmed: true });
    expect(toIndexText([text, text], { stemmed: true })).toBe(first);
    expect(toIndexText([text], { stemmed: false })).toBe("wi fi for dogs = wifi");
    expect(toIndexText([text], { stemmed: true })).toBe("wi fi for dog = wifi");
  });
});

describe("remembered", () => {
  it("keeps the latest and the requested values", () => {
    const made: string[] = [];
    const once = memoize((text) => made.push(text), { size: 2, longest: 3 });
    for (const text of ["1", "2", "3", "1", "4", "5"]) once(text);
    expect(made).toEqual(["1", "2", "3", "4", "5"]);
    for (const text of ["5", "4", "1", "2"]) once(text);
    expect(made.slice(5)).toEqual(["2"]);
    for (const text of ["long", "long"]) once(text);
    expect(made.slice(6)).toEqual(["long", "long"]);
  });
});

import { describe, expect, it } from "vitest";
import { fold } from "../../../../src/search/text/collation.ts";

/** Characters that are folded together. */
const BLOCK = 256;

describe("fold", () => {
  it.each([
    ["García Márquez", "garcia marquez"],
    ["Dvořák", "dvorak"],
    ["Việt", "viet"],
    ["Đặng", "dang"],
    ["Łódź", "lodz"],
    ["Søren", "soren"],
    ["æther Œuvre", "aether oeuvre"],
    ["straße STRASSE ẞ", "strasse strasse ss"],
    ["ışık IŞIK İstanbul", "isik isik istanbul"],
    ["Þór, ðe, ĦAL, ŋ, ĳ", "thor, de, hal, n, ij"],
    ["Ёлка й", "елка и"],
    ["Ελληνικά ΟΔΟΣ οδός", "ελληνικα οδοσ οδοσ"],
    ["ｆｕｌｌ ﬁ №", "full fi no"],
    ["हिन्दी", "हिन्दी"],
    ["ガギ ｶﾞ", "ガギ ガ"],
    ["שָׁלוֹם", "שלום"],
    ["مُحَمَّد", "محمد"],
    ["한국어", "한국어"],
    ["O’Brien ʻokina ‘x’", "o'brien 'okina 'x'"],
    ["a–b—c−d‐e", "a-b-c-d-e"],
    ["١٩٨٤ १९८४ 𝟗", "1984 1984 9"],
    ["soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"],
    ["", ""],
  ])("%s", (text, expected) => {
    expect(fold(text)).toBe(expected);
  });

  it("leaves folded text unchanged, for every character of the first two planes", () => {
    const unstable: string[] = [];
    for (let start = 0; start < 0x2_00_00; start += BLOCK) {
      const block = Array.from({ length: BLOCK }, (_, at) => `a${String.fromCodePoint(start + at)}b`);
      const once = fold(block.join(" "));
      if (fold(once) !== once) unstable.push(`block ${start.toString(16)}`);
    }
    expect(unstable).toEqual([]);
  });
});

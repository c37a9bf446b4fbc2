import { describe, expect, it } from "vitest";
import { collationKeyOf } from "../../../../src/search/text/collation.ts";
import { toIndexText, queryTermsOf } from "../../../../src/search/text/analysis.ts";

describe("toIndexText", () => {
  it.each([
    [["The Running Man"], true, "the run man"],
    [["The Running Man"], false, "the running man"],
    [["Love stories", "Wi-Fi libraries", "End"], true, "love stori = wi fi librari = wifi = end"],
    [["Flann O'Brien"], false, "flann o brien = obrien"],
    [["J. R. R. Tolkien"], false, "j r r tolkien = jrr"],
    [["1,000 nights, 2nd"], true, "1 000 night 2 nd = 1000 2nd"],
    [["", "!!!", "x"], true, "x"],
    [[], true, ""],
  ])("%j", (values, stemmed, expected) => {
    expect(toIndexText(values, { stemmed })).toBe(expected);
  });
});

describe("queryTermsOf", () => {
  it.each([
    ["The Hobbit", [{ tokens: ["the"] }, { tokens: ["hobbit"] }]],
    ["wi-fi", [{ tokens: ["wi", "fi"], others: ["wifi"] }]],
    ["J.R.R.", [{ tokens: ["j", "r", "r"], others: ["jrr"] }]],
    ["村上春樹 x", [{ tokens: ["村", "上", "春", "樹"] }, { tokens: ["x"] }]],
    ["村上 春樹", [{ tokens: ["村", "上"] }, { tokens: ["春", "樹"] }]],
    ["a村", [{ tokens: ["a"] }, { tokens: ["村"] }]],
    ["TV", [{ tokens: ["tv"], others: ["television", "televisions", "tvs"] }]],
    ["gib", [{ tokens: ["gib"], others: ["gb", "gigabyte", "gigabytes"] }]],
    ["pixima", [{ tokens: ["pixima"], others: ["pixma"] }]],
    ["?!", []],
  ])("%s", (text, expected) => {
    expect(queryTermsOf(text)).toEqual(expected.map((term) => ({ others: [], ...term })));
  });
});

describe("collationKeyOf", () => {
  it("orders like the root collation", () => {
    const texts = ["a b", "a-b", "a.b", "a(b", "a$b", "a1b", "aab", "Äac", "azz", "z", "я", "村"];
    expect(texts.toSorted((one, other) => (collationKeyOf(one) < collationKeyOf(other) ? -1 : 1))).toEqual(
      texts,
    );
  });

  it("ignores case and accents", () => {
    expect(collationKeyOf("Éire ÆON")).toBe(collationKeyOf("eire aeon"));
  });

  it("ends at 200 bytes, between characters", () => {
    expect(collationKeyOf("a".repeat(500))).toBe("a".repeat(200));
    expect(collationKeyOf("村".repeat(500))).toBe("村".repeat(66));
    expect(collationKeyOf(`a${"𠀀".repeat(100)}`)).toBe(`a${"𠀀".repeat(49)}`);
  });
});

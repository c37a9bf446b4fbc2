import { describe, expect, it } from "vitest";
import {
  caseFold,
  foldLanguageName,
  toMatchText,
  WHOLE_TITLE_LENGTH,
  WORK_TITLE_KEY_LENGTH,
  editionTitleKeyOf,
  longTitleOf,
  normalizeTitle,
  workTitleKeyOf,
  authorNameKeyOf,
  authorNameRowsOf,
  authorYearsKeysOf,
  isShortName,
} from "../../../../src/catalog/matching/match-keys.ts";

describe("toMatchText", () => {
  it.each([
    ["Salt & Pepper", "salt and pepper"],
    ["Salt&Pepper", "salt&pepper"],
    ["A--B: C; D, e.", "a b c d e"],
    ["  E\u0301tude \t in  C ", "étude in c"],
    ["O'Neil (ed.)?", "o'neil (ed )?"],
    [" . ", ""],
  ])("%j: %j", (text, expected) => expect(toMatchText(text)).toBe(expected));
});

describe("normalizeTitle", () => {
  it.each([
    ["The Sea and the Shore", "seatheshore"],
    [" A  Café ", "cafe"],
    ["An Island", "anisland"],
    ["The the", "the"],
    ["Sand and Sea and Sky", "sandseasky"],
    ["Ångström's", "angstrom's"],
    ["Ελύτης", "ελυτης"],
    ["A manual of seamanship for boys", "manualofseamanshipforboys"],
    ["A manual of seamanship for boys and girls", "manualofseamanshipforboys"],
  ])("%j: %j", (title, key) => expect(normalizeTitle(title)).toBe(key));
});

describe("workTitleKeyOf", () => {
  it.each([
    ["Atlas [microform] of Asia", "atlas[microform]ofasia"],
    ["[Letters]", "[letters]"],
    ["Letters [a] [b]", "letters[a]"],
    ["the  A - B", "ab"],
    ["A the thing", "thething"],
    ["", ""],
    ["...", ""],
    ["The Sea & the Shore: a Guide.", "seatheshoreaguide"],
    ["Sand and Sea [sound recording]", "sandsea"],
  ])("%j: %j", (title, key) => expect(workTitleKeyOf(title)).toBe(key));

  it("is bounded and takes linear time", () => {
    for (const part of ["[", "] ", " and ", "a", " ", "[]"]) {
      expect(workTitleKeyOf(part.repeat(1_000_000)).length).toBeLessThanOrEqual(WORK_TITLE_KEY_LENGTH);
    }
  });
});

describe("editionTitleKeyOf", () => {
  it.each([
    ["Foo (1st) and (2nd) bar", "foobar"],
    ["Foo(1st)", "foo"],
    ["Foo (1st", "foo(1st"],
    ["Foo) (1st", "foo)(1st"],
    ["(All)", ""],
    ["The Sea (and the Shore)", "sea"],
    ["A manual of seamanship for boys and girls (revised)", "manualofseamanshipforboys"],
  ])("%j: %j", (title, key) => expect(editionTitleKeyOf(title)).toBe(key));
});

describe("authorNameKeyOf", () => {
  it.each(["John Döe", "JOHN DOE", "john  doe", "Jóhn Doe"])("%j", (name) => {
    expect(authorNameKeyOf(name)).toBe("johndoe");
  });

  it.each([
    "A. N. Other and the rest",
    "the Beatles",
    "Straße",
    "Ελύτης",
    "",
    "a b c d e f g h i j k l m n o",
  ])("equals normalizedTitle for short names: %j", (name) => {
    expect(authorNameKeyOf(name)).toBe(normalizeTitle(name));
    expect(isShortName(name)).toBe(true);
  });

  it("distinguishes names with a common beginning", () => {
    const names = ["Senate", "House"].map((chamber) => `United States. Congress. ${chamber}`);
    expect(new Set(names.map(authorNameKeyOf)).size).toBe(2);
    expect(names.map(isShortName)).toEqual([false, false]);
    expect(authorNameKeyOf("x".repeat(100_000))).toHaveLength(WHOLE_TITLE_LENGTH);
  });
});

describe("longTitleOf", () => {
  it.each([
    ["The annual report of the Board", undefined],
    ["The Annual Report of the Board of Health", "annualreportoftheboardofhealth"],
    ["x".repeat(25), undefined],
    ["x".repeat(26), "x".repeat(26)],
    ["x".repeat(100_000), "x".repeat(WHOLE_TITLE_LENGTH)],
  ])("of %j", (title, key) => expect(longTitleOf(title)).toBe(key));
});

describe("rows of authors", () => {
  it("of authors have alternate and long names", () => {
    const name = "United States. Congress. Senate";
    const alternate = ["Sénat", "SENAT", "..", " "];
    expect(authorNameRowsOf({ name, alternate_names: alternate })).toEqual([
      authorNameKeyOf(name),
      "senat",
      "..",
    ]);
    expect(authorNameRowsOf({ name: "John Smith" })).toEqual([]);
  });

  it.each([
    ["1829", "1910", ["brewer 1829 1910"]],
    ["c. 1829 or 1830", "1910?", ["brewer 1829 1910", "brewer 1830 1910"]],
    [
      "18290914",
      "1910",
      ["brewer 1829 1910", "brewer 8290 1910", "brewer 2909 1910", "brewer 9091 1910", "brewer 0914 1910"],
    ],
    ["829", "1910", []],
    ["1829", null, []],
  ])("born %j, died %j: %j", (birth, death, keys) => {
    const author = { name: "William H. Bréwer ", birth_date: birth, death_date: death };
    expect(authorYearsKeysOf(author)).toEqual(keys);
  });

  it("take linear time", () => {
    const long = "a".repeat(500_000);
    expect(authorYearsKeysOf({ name: `${long} B`, birth_date: "1829", death_date: "1910" })).toEqual([
      "b 1829 1910",
    ]);
    // With the square of the length these would take minutes.
    expect(authorYearsKeysOf({ name: "A B", birth_date: "1".repeat(500_000), death_date: long })).toEqual([]);
  });

  it("are absent without a name, and few for long dates", () => {
    expect(authorYearsKeysOf({ birth_date: "1829", death_date: "1910" })).toEqual([]);
    const digits = "1234567890".repeat(1000);
    expect(
      authorYearsKeysOf({ name: "A B", birth_date: digits, death_date: digits }).length,
    ).toBeLessThanOrEqual(64);
  });
});

describe("folding", () => {
  it.each([
    ["STRASSE", "straße"],
    ["ΠΑΡΆΔΕΙΣΟΣ", "παράδεισος"],
    ["ﬁn", "FIN"],
  ])("of case: %j is %j", (a, b) => expect(caseFold(a)).toBe(caseFold(b)));

  it("of case keeps accents", () => expect(caseFold("é")).not.toBe(caseFold("e")));

  it("of names", () => expect(foldLanguageName(" Frañçais  (Moyen) ")).toBe("francais (moyen)"));
});

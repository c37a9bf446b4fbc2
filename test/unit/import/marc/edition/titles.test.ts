import { describe, expect, it } from "vitest";
import { editionOfMarc } from "../../../../../src/import/marc/edition.ts";
import { MarcError } from "../../../../../src/import/marc/record.ts";
import { marc } from "./marc-lines.ts";

const titles = (...lines: string[]) => editionOfMarc(marc(...lines));

function problemOf(...lines: string[]): string | undefined {
  try {
    titles(...lines);
    return undefined;
  } catch (error) {
    return error instanceof MarcError ? error.problem : String(error);
  }
}

describe("titles", () => {
  it("are told from subtitle and statement", () => {
    expect(titles("245 10‡aThe war game :‡bten battles.‡n2,‡pPart two /‡cby P. Young.")).toEqual({
      title: "The war game",
      subtitle: "ten battles : 2 : Part two",
      by_statement: "by P. Young",
    });
  });

  it("are read without $a", () => {
    expect(titles("245 10‡bFirst :‡psecond")).toEqual({ title: "First", subtitle: "second" });
    expect(titles("245 10‡kLetters,‡f1900.")).toEqual({ title: "Letters 1900" });
    expect(titles("245 10‡a/‡cby nobody")).toEqual({ title: " by nobody", by_statement: "by nobody" });
  });

  it.each([
    ["[electronic resource] :", "[electronic resource] :"],
    ["[microform].", "[microform]"],
    [" [text] ", "[text]"],
  ])("the form %j is %j", (text, form) => {
    expect(titles(`245 10‡aT‡h${text}`)["physical_format"]).toBe(form);
  });

  it("have no form or subtitle without text", () => {
    expect(titles("245 10‡aT‡h ‡b[by somebody].")).toEqual({ title: "T" });
    expect(titles("245 10‡aT‡b/")).toEqual({ title: "T" });
  });

  it("Q314: prefer the script of the book", () => {
    expect(
      titles(
        "245 10‡6880-02‡aNihon no chasho.‡bkaisetsu",
        "880 10‡aunlinked",
        "880 10‡6245-01/$1‡aother",
        "880 10‡6245-02/$1‡a日本 の 茶書 /‡b解説",
        "246 3 ‡aThird",
      ),
    ).toEqual({ title: "日本 の 茶書", subtitle: "kaisetsu", other_titles: ["Nihon no chasho", "Third"] });
    expect(titles("245 10‡6880-02‡aT", "880 10‡6245-02‡a茶書‡b解説")).toMatchObject({ subtitle: "解説" });
  });

  it("stay without a title in another script", () => {
    expect(titles("245 10‡6880-02‡aT", "880 10‡6100-02‡a茶書")).toEqual({ title: "T" });
    expect(titles("245 10‡6880-02‡aT", "880 10‡6245-02‡c茶書")).toEqual({ title: "T" });
    expect(titles(`245 10‡6880-02${"x".repeat(40)}‡aT`, `880 10‡6245-02${"x".repeat(40)}‡a茶書`)).toEqual({
      title: "T",
    });
  });

  // Q774
  it.each([
    ["245 10‡a\u0098The \u009CVoyage", { title: "The Voyage", title_article: "The " }],
    ["245 10‡a\u0098Die\u009C Reise /‡cA", { title: "Die Reise", title_article: "Die ", by_statement: "A" }],
    ["245 10‡a\u0088L'\u0089homme", { title: "L'homme", title_article: "L'" }],
    ["245 10‡a<<Die>> Reise", { title: "Die Reise", title_article: "Die " }],
    ["245 10‡a<<Das>>Boot", { title: "Das Boot", title_article: "Das " }],
    ["245 14‡a¬Der¬ Zug", { title: "Der Zug", title_article: "Der " }],
    ["245 10‡aBand 1 \u0098der\u009C Reihe", { title: "Band 1 der Reihe" }],
    ["245 10‡aA\u0098B", { title: "A\u0098B" }],
    ["245 10‡aA << B >> ¬C", { title: "A << B >> ¬C" }],
    ["245 14‡aThe voyage", { title: "The voyage" }],
    ["245 14‡aDie Reise", { title: "Die Reise", title_article: "Die " }],
    ["245 13‡aAz ember", { title: "Az ember", title_article: "Az " }],
    ["245 13‡aOrdinary", { title: "Ordinary" }],
  ])("are told from their article: %j", (line, expected) => expect(titles(line)).toEqual(expected));

  it("come from 740 and count as further titles", () => {
    expect(titles("740 0 ‡aCinq poèmes /‡n2.")).toEqual({
      title: "Cinq poèmes",
      subtitle: "2.",
      other_titles: ["Cinq poèmes / 2."],
    });
  });

  it("further titles come from 246, 730 and 740, in that order", () => {
    expect(
      titles("245 10‡aT", "740 0 ‡aC‡n1‡h[x]", "730 0 ‡aB.‡lEnglish‡5XYZ", "246 3 ‡iCover:‡aA‡bb", "246 3 ‡b")
        .other_titles,
    ).toEqual(["A", "B. English", "C 1"]);
  });

  it("of the work are uniform titles", () => {
    expect(
      titles(
        "245 10‡aT",
        "240 10‡aIliad,‡n2.‡lEnglish",
        "130 0 ‡aArabian nights.‡n3‡lEnglish.‡6x",
        "240 10‡aIliad, 2.",
      ),
    ).toMatchObject({ work_titles: ["Iliad, 2.", "Arabian nights English"] });
  });
});

describe("records without a title", () => {
  it("Q313: take the title of the work", () => {
    expect(titles("245 10‡a ", "130 0 ‡aBritain")).toEqual({ title: "Britain" });
    expect(titles("240 10‡aOne", "130 0 ‡aTwo", "240 10‡aThree")).toEqual({
      title: "One",
      work_titles: ["Three", "Two"],
    });
  });

  it("are refused if the work has no title either", () => {
    expect(problemOf("100 1 ‡aDoe, J.")).toBe("no-title");
    expect(problemOf("245 10‡a /‡b :", "240 10‡a,")).toBe("no-title");
    expect(problemOf()).toBe("no-title");
  });

  it("are refused if they refer to other records", () => {
    expect(problemOf("245 10‡aSee :", "240 10‡aWork")).toBe("see-also-title");
    expect(problemOf("245 10‡bSee also")).toBe("see-also-title");
    expect(problemOf("245 10‡aSee here")).toBeUndefined();
  });
});

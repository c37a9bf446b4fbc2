import { describe, expect, it } from "vitest";
import {
  bracketedTextOf,
  joinName,
  joinNameWithDot,
  joinParts,
  withoutFinalDot,
  withoutNumberDot,
  withoutOldCatalog,
} from "../../../../../src/import/marc/edition/text.ts";
import { trimmerOf } from "../../../../../src/catalog/bytes.ts";

describe("text of catalogues", () => {
  it.each([
    ["A tale.", "A tale"],
    ["A tale", "A tale"],
    ["Piper, H.", "Piper, H."],
    ["U.S.A.", "U.S.A."],
    ["and so on...", "and so on..."],
    ["War Dept.", "War Dept."],
    ["Dept.", "Dept"],
    ["b.", "b."],
    [".", "."],
    ["", ""],
    // One character of two units is one character.
    ["\u{20000}.", "\u{20000}."],
    ["\u{20000}\u{20001}.", "\u{20000}\u{20001}"],
    [" \u{20000}.", " \u{20000}."],
  ])("withoutFinalDot(%j) is %j", (text, expected) => expect(withoutFinalDot(text)).toBe(expected));

  it.each([
    ["1999.", "1999"],
    ["1999...", "1999"],
    ["1999 - .", "1999 - "],
    ["9.", "9."],
    ["1999", "1999"],
    ["1999 a.", "1999 a."],
    ["...", "..."],
  ])("withoutNumberDot(%j) is %j", (text, expected) => expect(withoutNumberDot(text)).toBe(expected));

  it("drops the mark of an old catalogue only at the end", () => {
    expect(withoutOldCatalog("Bridges, H.  [from old catalog]")).toBe("Bridges, H.");
    expect(withoutOldCatalog("[from old catalog] x")).toBe("[from old catalog] x");
  });

  it("joins parts without their separators", () => {
    expect(joinParts(["Title :", "rest /"])).toBe("Title rest");
    expect(joinParts(["= Other.", "1, "], " : ")).toBe("Other : 1");
  });

  it("joins names", () => {
    expect(joinName(["John Paul", "II,", "Pope."])).toBe("John Paul II Pope");
    expect(joinName(["[Doe, J.,"])).toBe("Doe, J.");
    expect(joinNameWithDot(["author."])).toBe("author.");
  });

  it.each([
    ["[text]", "[text]"],
    [" [a] b [c]. ", "[a] b [c]"],
    ["[text] /", undefined],
    ["[", undefined],
    ["", undefined],
  ])("bracketedTextOf(%j) is %j", (text, expected) => expect(bracketedTextOf(text)).toBe(expected));

  it("trims only the given characters", () => {
    const trim = trimmerOf(" /");
    expect(trim(" / é/ \u00e9 / ")).toBe("é/ \u00e9");
    expect(trim("///")).toBe("");
    expect(trim("\u042f/")).toBe("\u042f");
  });
});

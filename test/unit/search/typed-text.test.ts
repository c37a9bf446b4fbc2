import { describe, expect, it } from "vitest";
import { matchText } from "../../../src/search/plan/match.ts";
import {
  allWords,
  isOneLetter,
  possibleStems,
  startingWords,
  typedText,
  wholeWords,
} from "../../../src/search/typed-text.ts";

const typed = (text: string) => {
  const read = typedText(text);
  if (read === undefined) throw new Error(`no word in ${text}`);
  return read;
};
const title = { columns: ["title"], stemmed: true };
const name = { columns: ["name", "alternate_names"], stemmed: false };

describe("typedText", () => {
  it.each([
    ["foo", '{title} : "foo" *'],
    ["foo bar", '{title} : "bar" * AND {title} : "foo"'],
    ["libraries fou", '{title} : "fou" * AND {title} : "librari"'],
    ["harry", '{title} : "harry" * OR {title} : "harri"'],
    ["o'br", '{title} : "o br" * OR {title} : "obr" *'],
    ["tv se", '({title} : "tv" OR {title} : "televis") AND {title} : "se" *'],
    // Quotes and operators are text.
    ['a" OR "b', '{title} : "b" * AND {title} : "a" AND {title} : "or"'],
  ])("%j is looked for anywhere as %s", (text, expected) => {
    expect(matchText(allWords(typed(text), title))).toBe(expected);
  });

  it("searches stems for prefixes of known words", () => {
    const known = ["university", "universities", "universally"];
    expect(matchText(allWords(typed("universit"), { ...title, known }))).toBe(
      '{title} : "universit" * OR {title} : "univers"',
    );
  });

  it.each([
    ["mark twa", '{name alternate_names} : ^ "mark twa" *'],
    ["j.r.r. tol", '{name alternate_names} : ^ "j r r tol" *'],
  ])("%j begins a name as %s", (text, expected) => {
    expect(matchText(startingWords(typed(text), name))).toBe(expected);
  });

  it("combines a single letter with the other words", () => {
    const whole = wholeWords(typed("foo bars b"), title);
    expect(whole && matchText(whole)).toBe('{title} : "foo" AND {title} : "bar"');
    expect(wholeWords(typed("b"), title)).toBeUndefined();
    expect([isOneLetter(typed("b")), isOneLetter(typed("a b")), isOneLetter(typed("bc"))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("guesses stems shorter than the typed text", () => {
    expect(possibleStems(typed("universit"))).toEqual(["universi", "univers", "univer", "unive", "univ"]);
    expect(possibleStems(typed("libr"))).toEqual([]);
  });

  it.each(["", "  ", "!?", '"'])("finds no word in %j", (text) => {
    expect(typedText(text)).toBeUndefined();
  });

  it("uses a limited number of words", () => {
    expect(typed("word ".repeat(500)).whole.length).toBeLessThan(20);
  });
});

import { describe, expect, it } from "vitest";
import { matchTextOf } from "../../../src/search/plan/match.ts";
import {
  matchAllWords,
  isOneLetter,
  possibleStemsOf,
  matchStartingWords,
  parseTypedText,
  matchWholeWords,
} from "../../../src/search/typed-text.ts";

const typed = (text: string) => {
  const read = parseTypedText(text);
  if (read === undefined) throw new Error(`no word in ${text}`);
  return read;
};
const title = { columns: ["title"], stemmed: true };
const name = { columns: ["name", "alternate_names"], stemmed: false };

describe("parseTypedText", () => {
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
    expect(matchTextOf(matchAllWords(typed(text), title))).toBe(expected);
  });

  it("searches stems for prefixes of known words", () => {
    const known = ["university", "universities", "universally"];
    expect(matchTextOf(matchAllWords(typed("universit"), { ...title, known }))).toBe(
      '{title} : "universit" * OR {title} : "univers"',
    );
  });

  it.each([
    ["mark twa", '{name alternate_names} : ^ "mark twa" *'],
    ["j.r.r. tol", '{name alternate_names} : ^ "j r r tol" *'],
  ])("%j begins a name as %s", (text, expected) => {
    expect(matchTextOf(matchStartingWords(typed(text), name))).toBe(expected);
  });

  it("combines a single letter with the other words", () => {
    const whole = matchWholeWords(typed("foo bars b"), title);
    expect(whole && matchTextOf(whole)).toBe('{title} : "foo" AND {title} : "bar"');
    expect(matchWholeWords(typed("b"), title)).toBeUndefined();
    expect([isOneLetter(typed("b")), isOneLetter(typed("a b")), isOneLetter(typed("bc"))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("guesses stems shorter than the typed text", () => {
    expect(possibleStemsOf(typed("universit"))).toEqual(["universi", "univers", "univer", "unive", "univ"]);
    expect(possibleStemsOf(typed("libr"))).toEqual([]);
  });

  it.each(["", "  ", "!?", '"'])("finds no word in %j", (text) => {
    expect(parseTypedText(text)).toBeUndefined();
  });

  it("uses a limited number of words", () => {
    expect(typed("word ".repeat(500)).whole.length).toBeLessThan(20);
  });
});

import { describe, expect, it } from "vitest";
import { chooseCorrection, matchForms } from "../../../src/search/correction/choose-correction.ts";
import {
  type IndexedWord,
  typedWordsOf,
  wordFormsOf,
  wordRequestsOf,
} from "../../../src/search/correction/word-forms.ts";
import { toIndexText } from "../../../src/search/text/analysis.ts";
import { addSpellingTerms } from "../../../src/search/text/spelling.ts";

/** Popularity, title, author. */
const BOOKS: readonly (readonly [boost: number, title: string, author: string])[] = [
  [200, "The Hobbit", "J. R. R. Tolkien"],
  [12, "The Habit", "Susan Morse"],
  [200, "The Shining", "Stephen King"],
  [20, "Seven Kings", "John Miller"],
  [20, "Reaper's Gale", "Steven Erikson"],
  [200, "The Lord of the Rings", "J. R. R. Tolkien"],
  [200, "The Da Vinci Code", "Dan Brown"],
  [200, "Spider-Man", "Stan Lee"],
  [12, "Cats at home", "Ann Lee"],
  [12, "Cots at home", "Ann Lee"],
  [50, "Slaughterhouse-Five", "Kurt Vonnegut"],
  [90, "The Parts One and Two", "Jack Thorne"],
  [50, "Eat, Pray, Love", "Elizabeth Gilbert"],
];
const terms = new Set<string>();
for (const [, title, author] of BOOKS) addSpellingTerms(terms, [title, author]);
const candidates = BOOKS.map(([boost, title, author]) => ({
  boost,
  texts: [toIndexText([title], { stemmed: true }), toIndexText([author], { stemmed: false }), ""],
}));

const correctOpen = (isOpen: boolean, ...typed: string[]) => {
  const words = typedWordsOf(typed, isOpen);
  const indexed = new Map(
    wordRequestsOf(words).map(({ word }): [string, IndexedWord] => [
      word,
      { isSpelt: terms.has(word), near: [...terms] },
    ]),
  );
  const forms = wordFormsOf(words, indexed);
  const correction = chooseCorrection(typed, { words, forms }, candidates);
  return correction && { ...Object.fromEntries(correction.replacements), isSure: correction.isSure };
};
const correct = (...typed: string[]) => correctOpen(false, ...typed);

describe("chooseCorrection", () => {
  it.each([
    ["a word that sounds alike, and finds more", ["the", "hobit"], { hobit: "hobbit", isSure: true }],
    ["a known word, for a whole name", ["steven", "king"], { steven: "stephen", isSure: true }],
    ["swapped letters", ["lrod", "of", "teh", "rings"], { lrod: "lord", teh: "the", isSure: true }],
    ["a whole text", ["lord of teh rings"], { "lord of teh rings": "lord of the rings", isSure: true }],
    ["words written as one", ["davinci", "code"], { davinci: "da vinci", isSure: true }],
    ["the end of a title and a name", ["hobbittolkien"], { hobbittolkien: "hobbit tolkien", isSure: true }],
    ["a word written as two", ["ho", "bbit"], { ho: "hobbit", bbit: "", isSure: true }],
    ["a part of a compound", ["spdier-man"], { "spdier-man": "spider-man", isSure: true }],
    ["a known word in a part of a title", ["kings", "tolkien"], { kings: "rings", isSure: false }],
    ["one of two equally good spellings", ["cets", "home"], { cets: "cats", isSure: false }],
    ["nothing without misspelt words", ["hobbit", "tolkien"], undefined],
    ["a word beside one of another field", ["hobit", "fantasy"], { hobit: "hobbit", isSure: true }],
    ["a number", ["slaughterhouse", "5"], { "5": "five", isSure: true }],
    ["a number of other words", ["thorne", "2"], undefined],
    ["a short word", ["pray", "luv"], { luv: "love", isSure: true }],
    ["nothing for an ending written apart", ["cat", "s", "home"], undefined],
  ])("replaces %s", (_case, typed, expected) => {
    expect(correct(...typed)).toEqual(expected);
  });

  it.each([
    ["the hobi", "the hobbit"],
    ["hobit tolk", "hobbit tolk"],
    ["hobit to", "hobbit to"],
    ["da vinci cod", undefined],
    ["the hobbit tolki", undefined],
    ["the hob", undefined],
  ])("completes the unfinished %s", (typed, text) => {
    expect(correctOpen(true, typed)?.[typed as never]).toBe(text);
  });

  it("has bounded phrases, words and forms", () => {
    expect(typedWordsOf(Array.from({ length: 25 }, () => "word"))).toEqual([]);
    const words = typedWordsOf(
      Array.from({ length: 24 }, (_word, at) => `wordy${"abcdefghijklmnopqrstuvwx"[at]}`),
    );
    expect(wordRequestsOf(words)).toHaveLength(10);
    const near = Array.from({ length: 26 }, (_letter, at) => `wordy${"abcdefghijklmnopqrstuvwxyz"[at]}`);
    const forms = wordFormsOf(
      words,
      new Map(words.map(({ token = "" }) => [token, { isSpelt: false, near }])),
    );
    expect(Math.max(...forms.map(({ length }) => length))).toBeLessThanOrEqual(45);
    expect(matchForms(words, forms)?.op).toBe("and");
  });
});

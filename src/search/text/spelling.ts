import { analysisOf } from "./analysis.ts";
import { fold } from "./collation.ts";

/** Spellings that sound alike, longest first; the right side has only letters that remain in a skeleton. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/ph/g, "f"],
  [/sch|sh/g, "s"],
  [/ck|q/g, "k"],
  [/c(?=[eiy])/g, "s"],
  [/c/g, "k"],
  [/x/g, "ks"],
  [/z/g, "s"],
  [/w/g, "v"],
  [/j/g, "g"],
];
const SILENT = /(?<!^)[aeiouyh]/g;
const DOUBLED = /(.)\1+/gu;
const CONSONANTS = "bdfgklmnprstv";
const FIRST_LETTERS = `${CONSONANTS}aeiouh`;

/**
 * Returns a word without its often misspelt parts: vowels and `h` except at the start, doubled letters, letters that
 * sound alike. Words with equal skeletons are candidates for each other's correction.
 */
export function skeletonOf(term: string): string {
  let text = fold(term);
  for (const [pattern, instead] of ALIKE) text = text.replace(pattern, instead);
  return text.replace(SILENT, "").replace(DOUBLED, "$1").replace(/^y/, "i");
}

/** Returns the skeletons of a word with one wrong, missing, extra or swapped consonant: some 200. */
export function listNearSkeletons(term: string): string[] {
  const skeletonOfTerm = skeletonOf(term);
  const near = new Set([skeletonOfTerm]);
  for (let at = 0; at <= skeletonOfTerm.length; at += 1) addNear(near, skeletonOfTerm, at);
  near.delete("");
  return [...near];
}

function addNear(near: Set<string>, text: string, at: number): void {
  const before = text.slice(0, at);
  const after = text.slice(at + 1);
  near.add(collapseDoubled(before + after));
  near.add(collapseDoubled(before + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)));
  for (const letter of at === 0 ? FIRST_LETTERS : CONSONANTS) {
    near.add(collapseDoubled(before + letter + text.slice(at)));
    if (at < text.length) near.add(collapseDoubled(before + letter + after));
  }
}

function collapseDoubled(text: string): string {
  return text.replace(DOUBLED, "$1");
}

/** Returns the edit distance with swaps of neighbours; `max` + 1 once it certainly exceeds `max`. */
export function editDistance(first: string, second: string, max: number): number {
  const tooMany = max + 1;
  if (Math.abs(first.length - second.length) > max) return tooMany;
  let beforeLast: number[] = [];
  let last = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let at = 1; at <= first.length; at += 1) {
    const row = nextRowOf({ first, second, at, last, beforeLast });
    if (Math.min(...row) > max) return tooMany;
    beforeLast = last;
    last = row;
  }
  return Math.min(last[second.length] ?? tooMany, tooMany);
}

interface Rows {
  first: string;
  second: string;
  at: number;
  last: readonly number[];
  beforeLast: readonly number[];
}

function nextRowOf(rows: Rows): number[] {
  const { first, second, at, last } = rows;
  const row = [at];
  for (let column = 1; column <= second.length; column += 1) {
    const replaced = first[at - 1] === second[column - 1] ? 0 : 1;
    const changed = valueAt(last, column - 1) + replaced;
    const best = Math.min(changed, valueAt(last, column) + 1, valueAt(row, column - 1) + 1);
    row.push(Math.min(best, swapDistanceOf(rows, column)));
  }
  return row;
}

/** Returns the distance if the last two letters are those of the other word in reverse order. */
function swapDistanceOf({ first, second, at, beforeLast }: Rows, column: number): number {
  const isSwap =
    at > 1 && column > 1 && first[at - 1] === second[column - 2] && first[at - 2] === second[column - 1];
  return isSwap ? valueAt(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY;
}

function valueAt(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/** Longest distance of a misspelt word, and that of words below `SHORT_LENGTH`, which have many neighbours. */
export const DISTANCE_MAX = 2;
const SHORT_DISTANCE_MAX = 1;
const SHORT_LENGTH = 5;
/** Costs of the likeliest mistakes: two letters swapped or one doubled; one letter, or two, of the same sound. */
const SLIP_COST = 0.3;
const SOUND_COSTS = [0, 0.5, 0.7];
/** Cost of a short word of the same sound that lacks a silent `e` besides: `luv`. */
const RESPELT_COST = 0.5;
const SILENT_E = /(?<=[^aeiou])e$/;

/** Returns how unlikely a misspelling is, in letters of another sound; infinite for words that are not alike. */
export function misspellingCostOf(typed: string, term: string): number {
  const most = typed.length < SHORT_LENGTH ? SHORT_DISTANCE_MAX : DISTANCE_MAX;
  const distance = editDistance(typed, term, most);
  if (distance > most) {
    const isRespelt = most < DISTANCE_MAX && editDistance(...withoutSilentE(typed, term), most) <= most;
    return isRespelt && soundOf(typed) === soundOf(term) ? RESPELT_COST : Number.POSITIVE_INFINITY;
  }
  const isSwap = distance === 1 && typed.length === term.length && sortLetters(typed) === sortLetters(term);
  const isDoubled = collapseDoubled(typed) === collapseDoubled(term);
  if (isSwap || (isDoubled && distance > 0)) return SLIP_COST;
  return soundOf(typed) === soundOf(term) ? (SOUND_COSTS[distance] ?? distance) : distance;
}

/** Returns how unlikely a misspelling of the beginning of a word is. */
export function beginningCostOf(typed: string, term: string): number {
  return Math.min(
    ...[-1, 0, 1, 2].map((more) => misspellingCostOf(typed, term.slice(0, typed.length + more))),
  );
}

function withoutSilentE(typed: string, term: string): [string, string] {
  return [typed.replace(SILENT_E, ""), term.replace(SILENT_E, "")];
}

function sortLetters(word: string): string {
  return [...word].sort().join("");
}

function soundOf(word: string): string {
  return skeletonOf(word).replaceAll("v", "f");
}

/** Minimum length of a word for the spelling of queries, in characters. */
const SPELLING_TERM_LENGTH_MIN = 3;
/** Maximum length of a word for the spelling of queries, in characters. */
export const SPELLING_TERM_LENGTH_MAX = 40;

const LETTERS = /^\p{L}+$/u;

/** Adds the words of some titles or names that queries can be corrected to. */
export function addSpellingTerms(terms: Set<string>, texts: readonly string[]): void {
  for (const text of texts) {
    for (const token of analysisOf(text).spaced) if (isSpellingTerm(token)) terms.add(token);
  }
}

/** Returns folded words with the skeletons that find their misspellings, without empty ones. */
export function toSpellingTerms(terms: Iterable<string>) {
  return [...terms]
    .map((term) => ({ term, skeleton: skeletonOf(term) }))
    .filter((entry) => entry.skeleton !== "");
}

function isSpellingTerm(word: string): boolean {
  return (
    word.length >= SPELLING_TERM_LENGTH_MIN && word.length <= SPELLING_TERM_LENGTH_MAX && LETTERS.test(word)
  );
}

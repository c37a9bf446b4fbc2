import { skeleton } from "../text/skeleton.ts";
import { analysisOf } from "../text/analysis.ts";

/** Shortest word that is kept for the spelling of queries, in characters (search.md 13.7). */
export const SPELLING_TERM_LENGTH_MIN = 3;
/** Longest one. */
export const SPELLING_TERM_LENGTH_MAX = 40;

/** A word as it is written, folded, with what it is found by when it is misspelt. */
export interface SpellingTerm {
  readonly term: string;
  readonly skeleton: string;
}

const LETTERS = /^\p{L}+$/u;

/** Adds the words of some titles or names that queries can be corrected to. */
export function addSpellingTerms(terms: Set<string>, texts: readonly string[]): void {
  for (const text of texts) {
    for (const token of analysisOf(text).spaced) if (isSpelled(token)) terms.add(token);
  }
}

/** Words with their skeletons; those whose skeleton is empty cannot be looked up. */
export function spellingTerms(terms: Iterable<string>): SpellingTerm[] {
  return [...terms]
    .map((term) => ({ term, skeleton: skeleton(term) }))
    .filter((entry) => entry.skeleton !== "");
}

function isSpelled(word: string): boolean {
  return (
    word.length >= SPELLING_TERM_LENGTH_MIN && word.length <= SPELLING_TERM_LENGTH_MAX && LETTERS.test(word)
  );
}

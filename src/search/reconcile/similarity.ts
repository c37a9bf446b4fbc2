import { fold } from "../text/collation.ts";

const NO_LETTERS = /[^\p{L}\p{N}]+/gu;
const LENGTH_MAX = 300;

/**
 * Returns the similarity of two names, from 0 to 100: 100 if they differ only in case, accents, signs and the order of
 * their words, else at most 99, by the pairs of letters that both have (Dice's coefficient).
 */
export function nameSimilarity(one: string, other: string): number {
  const [first, second] = [wordsOf(one), wordsOf(other)];
  if (first.length === 0 || second.length === 0) return 0;
  const inOrder = comparePairs(first.join(" "), second.join(" "));
  const sorted = comparePairs(first.toSorted().join(" "), second.toSorted().join(" "));
  return Math.max(inOrder, sorted);
}

/** Minimum similarity of a name that has all words of another one: `Austen` and `J. Austen` for `Jane Austen`. */
const PART = 90;

/** Returns the similarity of names where a part may stand for the whole. Single letters are initials. */
export function partialSimilarity(name: string, part: string): number {
  const [nameWords, partWords] = [wordsOf(name), wordsOf(part)];
  const isIn = (word: string): boolean =>
    nameWords.some((nameWord) => nameWord === word || (word.length === 1 && nameWord.startsWith(word)));
  const likeness = nameSimilarity(name, part);
  return partWords.length > 0 && partWords.every(isIn) ? Math.max(PART, likeness) : likeness;
}

function wordsOf(text: string): string[] {
  const folded = fold(text.slice(0, LENGTH_MAX).replaceAll("&", " and ")).replace(NO_LETTERS, " ").trim();
  return folded === "" ? [] : folded.split(" ");
}

function comparePairs(a: string, b: string): number {
  if (a === b) return 100;
  const [first, second] = [pairsOf(a), pairsOf(b)];
  const counts = new Map<string, number>();
  for (const pair of first) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of second) {
    const left = counts.get(pair) ?? 0;
    if (left === 0) continue;
    shared += 1;
    counts.set(pair, left - 1);
  }
  return Math.min(99, Math.floor((200 * shared) / (first.length + second.length)));
}

/** Returns the pairs of letters, with a blank before and after the text, so that beginnings count. */
function pairsOf(text: string): string[] {
  const padded = ` ${text} `;
  return Array.from({ length: padded.length - 1 }, (_pair, at) => padded.slice(at, at + 2));
}

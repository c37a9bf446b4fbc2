import type { WordedText } from "./worded-text.ts";

/** What two texts have in common, word by word. */
export interface CommonWords {
  /** Distinct words that both have, of the words of the longer one: 0 to 1. */
  readonly share: number;
  /** Whether they stand in the same order; also when there are none. */
  readonly isOrdered: boolean;
}

/** The most that `share` can be. */
export function mostCommon(a: WordedText, b: WordedText): number {
  const longer = Math.max(a.words.length, b.words.length);
  return longer === 0 ? 0 : Math.min(a.distinct.size, b.distinct.size) / longer;
}

/** Compares two texts word by word. */
export function commonWords(a: WordedText, b: WordedText): CommonWords {
  const longer = Math.max(a.words.length, b.words.length);
  if (longer === 0) return { share: 0, isOrdered: true };
  let common = 0;
  for (const word of a.distinct) if (b.distinct.has(word)) common += 1;
  return { share: common / longer, isOrdered: common === 0 || isOrdered(a, b) };
}

function isOrdered(a: WordedText, b: WordedText): boolean {
  const inA = a.words.filter((word) => b.distinct.has(word));
  const inB = b.words.filter((word) => a.distinct.has(word));
  return inA.length === inB.length && inA.every((word, index) => word === inB[index]);
}

/** True when one of the texts has the other in it. */
export function containsOther(a: string, b: string): boolean {
  return a.length < b.length ? b.includes(a) : a.includes(b);
}

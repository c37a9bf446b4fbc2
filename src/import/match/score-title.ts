import type { Comparable } from "./comparable.ts";
import { commonWords, containsOther } from "./score-words.ts";
import { LONG_TITLE, SCORES } from "./scores.ts";

/** Points for the titles: whether they begin alike (import.md 16.2). */
export function shortTitleScore(a: Comparable, b: Comparable): number {
  return a.shortTitle === b.shortTitle ? SCORES.shortTitle.equal : SCORES.shortTitle.different;
}

/** Points for the full titles in all their forms (import.md 16.3). */
export function titleScore(a: Comparable, b: Comparable): number {
  if (isLong(a.title) && isLong(b.title)) {
    const others = new Set(b.titles.map(({ text }) => text));
    if (a.titles.some(({ text }) => others.has(text))) return SCORES.title.equal;
    const isContained = a.titles.some((one) => b.titles.some((other) => containsOther(one.text, other.text)));
    if (isContained) return SCORES.title.contained;
  }
  let best = 0;
  for (const one of a.titles) {
    for (const other of b.titles) {
      const { share, isOrdered } = commonWords(one, other);
      // Q334: titles without a word in common are in order, too.
      best = Math.max(best, share * SCORES.title.share + (isOrdered ? SCORES.title.ordered : 0));
    }
  }
  return best;
}

function isLong(title: string): boolean {
  // A character has two units at most.
  return Array.from(title.slice(0, 2 * LONG_TITLE)).length >= LONG_TITLE;
}

import { COMPARED_NAMES, type Comparable, type ComparedName } from "./comparable.ts";
import { commonWords, mostCommon } from "./score-words.ts";
import { NAME_SHARE, SCORES } from "./scores.ts";

type Names = readonly ComparedName[] | undefined;

/** Points for the authors (import.md 16.3). */
export function authorsScore(a: Comparable, b: Comparable): number {
  const { authors: points } = SCORES;
  const [authors, others] = [a.authors(), b.authors()];
  const isSame =
    haveCommon(authors, others) || haveCommon(authors, b.contribs()) || haveCommon(a.contribs(), others);
  if (isSame) return points.equal;
  if (authors !== undefined && others !== undefined) {
    const share = sharedWords(authors, others);
    // Q334: so do two empty lists.
    return share > 0 ? share : points.different;
  }
  if (authors !== undefined || others !== undefined) return points.oneLacks;
  return haveCommon(a.contribs(), b.contribs()) ? points.equal : points.neither;
}

function haveCommon(a: Names, b: Names): boolean {
  if (a === undefined || b === undefined || a.length === 0 || b.length === 0) return false;
  const names = new Set(b.map(({ name }) => name));
  const dated = new Set(b.map((one) => one.dated));
  return a.some((one) => names.has(one.name) || dated.has(one.dated));
}

/** Points for the two names that have most words in common; 0 when none have enough. */
function sharedWords(a: readonly ComparedName[], b: readonly ComparedName[]): number {
  let best = 0;
  for (const one of a.slice(0, COMPARED_NAMES)) {
    for (const other of b.slice(0, COMPARED_NAMES)) {
      if (mostCommon(one.written, other.written) <= NAME_SHARE) continue;
      const { share, isOrdered } = commonWords(one.written, other.written);
      if (share <= NAME_SHARE) continue;
      best = Math.max(best, share * SCORES.authors.share + (isOrdered ? SCORES.authors.ordered : 0));
    }
  }
  return best;
}

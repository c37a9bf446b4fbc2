import type { Comparable } from "./comparable.ts";
import { authorsScore } from "./score-authors.ts";
import {
  countryScore,
  dateScore,
  isbnScore,
  lccnScore,
  pagesScore,
  publisherScore,
} from "./score-members.ts";
import { shortTitleScore, titleScore } from "./score-title.ts";
import { SAME_BOOK, SCORES } from "./scores.ts";

/** Gives points for one thing that two records may have in common; undefined when it does not count. */
type Score = (a: Comparable, b: Comparable) => number | undefined;

/** A rule, and the most points that it gives. */
interface ScoreRule {
  readonly name: string;
  readonly score: Score;
  readonly most: number;
}

const LEVEL_1: readonly Score[] = [shortTitleScore, lccnScore, dateScore, isbnScore];

/** Cheap ones first: most candidates are out before titles and names are compared word by word. */
const LEVEL_2: readonly ScoreRule[] = [
  { name: "date", score: dateScore, most: SCORES.date.equal },
  { name: "publish_country", score: countryScore, most: SCORES.country.equal },
  { name: "ISBN", score: isbnScore, most: SCORES.isbn.equal },
  { name: "lccn", score: lccnScore, most: SCORES.lccn.equal },
  { name: "pagination", score: pagesScore, most: SCORES.pages.equal },
  { name: "publisher", score: publisherScore, most: SCORES.publisher.alike },
  { name: "full-title", score: titleScore, most: SCORES.title.equal },
  { name: "authors", score: authorsScore, most: SCORES.authors.equal },
];

/** True when two records are of the same book (import.md 16). */
export function isSameBook(a: Comparable, b: Comparable): boolean {
  if (levelOne(a, b) >= SAME_BOOK) return true;
  let sum = 0;
  let open = LEVEL_2.reduce((total, { most }) => total + most, 0);
  for (const { score, most } of LEVEL_2) {
    if (sum + open < SAME_BOOK) return false;
    sum += score(a, b) ?? 0;
    open -= most;
  }
  return sum >= SAME_BOOK;
}

/** Points of the first level. */
export function levelOne(a: Comparable, b: Comparable): number {
  return LEVEL_1.reduce((sum, score) => sum + (score(a, b) ?? 0), 0);
}

/** Points of the second level, by rule. */
export function levelTwo(a: Comparable, b: Comparable): Map<string, number> {
  return new Map(
    LEVEL_2.flatMap(({ name, score }): [string, number][] => {
      const points = score(a, b);
      return points === undefined ? [] : [[name, points]];
    }),
  );
}

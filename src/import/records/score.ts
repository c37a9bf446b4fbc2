import {
  type Comparable,
  type ComparedName,
  type ComparedPublisher,
  type WordedText,
  COMPARED_NAMES_MAX,
} from "./comparable.ts";

/** Returns the upper bound of `share`. */
function maxShareOf(a: WordedText, b: WordedText): number {
  const longer = Math.max(a.words.length, b.words.length);
  return longer === 0 ? 0 : Math.min(a.distinct.size, b.distinct.size) / longer;
}

/**
 * Compares two texts word by word. `share` is the fraction of the longer text's words that are distinct words of both,
 * 0 to 1. `isOrdered` is true if these are in the same order, or if there are none.
 */
function compareWords(a: WordedText, b: WordedText): { readonly share: number; readonly isOrdered: boolean } {
  const longer = Math.max(a.words.length, b.words.length);
  if (longer === 0) return { share: 0, isOrdered: true };
  let common = 0;
  for (const word of a.distinct) if (b.distinct.has(word)) common += 1;
  return { share: common / longer, isOrdered: common === 0 || haveSameOrder(a, b) };
}

function haveSameOrder(a: WordedText, b: WordedText): boolean {
  const inA = a.words.filter((word) => b.distinct.has(word));
  const inB = b.words.filter((word) => a.distinct.has(word));
  return inA.length === inB.length && inA.every((word, index) => word === inB[index]);
}

function containsOther(a: string, b: string): boolean {
  return a.length < b.length ? b.includes(a) : a.includes(b);
}

export const SAME_BOOK = 875;

const SCORES = {
  shortTitle: { equal: 450, different: 0 },
  date: { neither: 0, oneLacks: -800, equal: 200, near: -25, different: -800 },
  country: { oneLacks: 0, equal: 40, different: -205 },
  isbn: { oneLacks: 0, equal: 85, different: -225 },
  lccn: { oneLacks: 0, equal: 200, different: -320 },
  /** `share` is given for all words in common, `ordered` for their order. */
  title: { equal: 600, contained: 350, share: 450, ordered: 50 },
  pages: { equal: 100, equalFew: 50, near: 50, nearFew: 20, different: -225 },
  publisher: { oneLacks: 0, alike: 100, different: -51 },
  authors: { equal: 125, share: 80, ordered: 10, different: -200, neither: 75, oneLacks: -25 },
} as const;

const NEAR_YEARS = 2;
/** Maximum difference of two near page counts, and maximum of a small page count. */
const NEAR_PAGES = 10;
/** Minimum length in characters of a title that is compared as a whole, not only word by word. */
const LONG_TITLE = 9;
const NAME_SHARE = 0.5;

type Names = readonly ComparedName[] | undefined;

function scoreAuthors(a: Comparable, b: Comparable): number {
  const { authors: points } = SCORES;
  const [authors, others] = [a.authors(), b.authors()];
  const isSame =
    shareName(authors, others) || shareName(authors, b.contribs()) || shareName(a.contribs(), others);
  if (isSame) return points.equal;
  if (authors !== undefined && others !== undefined) {
    const share = scoreSimilarNames(authors, others);
    // Q334: two empty lists count as different, too.
    return share > 0 ? share : points.different;
  }
  if (authors !== undefined || others !== undefined) return points.oneLacks;
  return shareName(a.contribs(), b.contribs()) ? points.equal : points.neither;
}

function shareName(a: Names, b: Names): boolean {
  if (a === undefined || b === undefined || a.length === 0 || b.length === 0) return false;
  const names = new Set(b.map(({ name }) => name));
  const dated = new Set(b.map((entry) => entry.dated));
  return a.some((entry) => names.has(entry.name) || dated.has(entry.dated));
}

/** Returns the points for the two most similar names, 0 if none are similar enough. */
function scoreSimilarNames(a: readonly ComparedName[], b: readonly ComparedName[]): number {
  let best = 0;
  for (const name of a.slice(0, COMPARED_NAMES_MAX)) {
    for (const other of b.slice(0, COMPARED_NAMES_MAX)) {
      if (maxShareOf(name.written, other.written) <= NAME_SHARE) continue;
      const { share, isOrdered } = compareWords(name.written, other.written);
      if (share <= NAME_SHARE) continue;
      best = Math.max(best, share * SCORES.authors.share + (isOrdered ? SCORES.authors.ordered : 0));
    }
  }
  return best;
}

/** Two codes of one country, from before and after the German states had their own. */
const GERMANY: ReadonlySet<string> = new Set(["gw", "wb"]);

function scoreDate({ date: a }: Comparable, { date: b }: Comparable): number {
  const { date } = SCORES;
  if (a === undefined && b === undefined) return date.neither;
  if (a === undefined || b === undefined) return date.oneLacks;
  // Q336: a year is equal to any of its days.
  const isSameTime = a.lastYear === b.lastYear && (a.read.startsWith(b.read) || b.read.startsWith(a.read));
  if (isSameTime) return date.equal;
  if (a.year === undefined || b.year === undefined) return date.different;
  return Math.abs(a.year - b.year) <= NEAR_YEARS ? date.near : date.different;
}

function scoreCountry({ country: a }: Comparable, { country: b }: Comparable): number {
  if (a === undefined || b === undefined) return SCORES.country.oneLacks;
  const isSame = a === b || (GERMANY.has(a) && GERMANY.has(b));
  return isSame ? SCORES.country.equal : SCORES.country.different;
}

/** Compares ISBNs without converting between their forms. */
function scoreIsbns({ isbns: a }: Comparable, { isbns: b }: Comparable): number {
  if (a.length === 0 || b.length === 0) return SCORES.isbn.oneLacks;
  const others = new Set(b);
  return a.some((isbn) => others.has(isbn)) ? SCORES.isbn.equal : SCORES.isbn.different;
}

function scoreLccn({ lccn: a }: Comparable, { lccn: b }: Comparable): number {
  if (a === undefined || b === undefined) return SCORES.lccn.oneLacks;
  const isSame = a.length === b.length && a.every((lccn, index) => lccn === b[index]);
  return isSame ? SCORES.lccn.equal : SCORES.lccn.different;
}

/** Returns undefined if a page count is missing. */
function scorePages({ pages: a }: Comparable, { pages: b }: Comparable): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  const { pages } = SCORES;
  if (a === b) return a > NEAR_PAGES ? pages.equal : pages.equalFew;
  if (Math.abs(a - b) > NEAR_PAGES) return pages.different;
  return a > NEAR_PAGES && b > NEAR_PAGES ? pages.near : pages.nearFew;
}

function scorePublishers({ publishers: a }: Comparable, { publishers: b }: Comparable): number {
  if (a === undefined || b === undefined) return SCORES.publisher.oneLacks;
  const areAlike = a.some((publisher) => b.some((candidate) => isSamePublisher(publisher, candidate)));
  return areAlike ? SCORES.publisher.alike : SCORES.publisher.different;
}

function isSamePublisher(a: ComparedPublisher, b: ComparedPublisher): boolean {
  if (containsOther(a.name.text, b.name.text) || containsOther(a.squeezed, b.squeezed)) return true;
  const [words, others] = [a.name.words, b.name.words];
  if (words.length < 2 || others.length < 2) return false;
  return words.every((word, index) => {
    const other = others[index];
    return other === undefined || containsOther(word, other);
  });
}

function scoreShortTitle(a: Comparable, b: Comparable): number {
  return a.shortTitle === b.shortTitle ? SCORES.shortTitle.equal : SCORES.shortTitle.different;
}

function scoreTitle(a: Comparable, b: Comparable): number {
  if (isLong(a.title) && isLong(b.title)) {
    const others = new Set(b.titles.map(({ text }) => text));
    if (a.titles.some(({ text }) => others.has(text))) return SCORES.title.equal;
    const isContained = a.titles.some((title) =>
      b.titles.some((otherTitle) => containsOther(title.text, otherTitle.text)),
    );
    if (isContained) return SCORES.title.contained;
  }
  let best = 0;
  for (const title of a.titles) {
    for (const other of b.titles) {
      const { share, isOrdered } = compareWords(title, other);
      // Q334: titles without a common word count as ordered, too.
      best = Math.max(best, share * SCORES.title.share + (isOrdered ? SCORES.title.ordered : 0));
    }
  }
  return best;
}

function isLong(title: string): boolean {
  // A character has at most two UTF-16 units.
  return Array.from(title.slice(0, 2 * LONG_TITLE)).length >= LONG_TITLE;
}

type Score = (a: Comparable, b: Comparable) => number | undefined;

const LEVEL_1: readonly Score[] = [scoreShortTitle, scoreLccn, scoreDate, scoreIsbns];
/** Rules with their maximum points, cheapest first, because most candidates are rejected early. */
export const LEVEL_2: readonly { readonly name: string; readonly score: Score; readonly most: number }[] = [
  { name: "date", score: scoreDate, most: SCORES.date.equal },
  { name: "publish_country", score: scoreCountry, most: SCORES.country.equal },
  { name: "ISBN", score: scoreIsbns, most: SCORES.isbn.equal },
  { name: "lccn", score: scoreLccn, most: SCORES.lccn.equal },
  { name: "pagination", score: scorePages, most: SCORES.pages.equal },
  { name: "publisher", score: scorePublishers, most: SCORES.publisher.alike },
  { name: "full-title", score: scoreTitle, most: SCORES.title.equal },
  { name: "authors", score: scoreAuthors, most: SCORES.authors.equal },
];

export function isSameBook(a: Comparable, b: Comparable): boolean {
  if (scoreLevelOne(a, b) >= SAME_BOOK) return true;
  let sum = 0;
  let remaining = LEVEL_2.reduce((total, { most }) => total + most, 0);
  for (const { score, most } of LEVEL_2) {
    if (sum + remaining < SAME_BOOK) return false;
    sum += score(a, b) ?? 0;
    remaining -= most;
  }
  return sum >= SAME_BOOK;
}

export function scoreLevelOne(a: Comparable, b: Comparable): number {
  return LEVEL_1.reduce((sum, score) => sum + (score(a, b) ?? 0), 0);
}

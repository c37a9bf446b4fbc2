import type { Comparable, ComparedPublisher } from "./comparable.ts";
import { containsOther } from "./score-words.ts";
import { NEAR_PAGES, NEAR_YEARS, SCORES } from "./scores.ts";

const WHOLE_NUMBER = /^\d{1,9}$/;
/** One country in two codes: before and after the German states were told apart. */
const GERMANY: ReadonlySet<string> = new Set(["gw", "wb"]);

/** Points for the dates of publication. */
export function dateScore({ date: a }: Comparable, { date: b }: Comparable): number {
  const { date } = SCORES;
  if (a === undefined && b === undefined) return date.neither;
  if (a === undefined || b === undefined) return date.oneLacks;
  // Q336: dates are texts; the same day in two spellings is as far apart as two centuries.
  if (a === b) return date.equal;
  const areNumbers = WHOLE_NUMBER.test(a) && WHOLE_NUMBER.test(b);
  return areNumbers && Math.abs(Number(a) - Number(b)) <= NEAR_YEARS ? date.near : date.different;
}

/** Points for the countries. */
export function countryScore({ country: a }: Comparable, { country: b }: Comparable): number {
  if (a === undefined || b === undefined) return SCORES.country.oneLacks;
  const isSame = a === b || (GERMANY.has(a) && GERMANY.has(b));
  return isSame ? SCORES.country.equal : SCORES.country.different;
}

/** Points for the ISBNs, in the form that each has. */
export function isbnScore({ isbns: a }: Comparable, { isbns: b }: Comparable): number {
  if (a.length === 0 || b.length === 0) return SCORES.isbn.oneLacks;
  const others = new Set(b);
  return a.some((isbn) => others.has(isbn)) ? SCORES.isbn.equal : SCORES.isbn.different;
}

/** Points for the LCCNs: all of them. */
export function lccnScore({ lccn: a }: Comparable, { lccn: b }: Comparable): number {
  if (a === undefined || b === undefined) return SCORES.lccn.oneLacks;
  const isSame = a.length === b.length && a.every((lccn, index) => lccn === b[index]);
  return isSame ? SCORES.lccn.equal : SCORES.lccn.different;
}

/** Points for the numbers of pages; undefined when one side has none. */
export function pagesScore({ pages: a }: Comparable, { pages: b }: Comparable): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  const { pages } = SCORES;
  if (a === b) return a > NEAR_PAGES ? pages.equal : pages.equalFew;
  if (Math.abs(a - b) > NEAR_PAGES) return pages.different;
  return a > NEAR_PAGES && b > NEAR_PAGES ? pages.near : pages.nearFew;
}

/** Points for the publishers: two that are alike are enough. */
export function publisherScore({ publishers: a }: Comparable, { publishers: b }: Comparable): number {
  if (a === undefined || b === undefined) return SCORES.publisher.oneLacks;
  const areAlike = a.some((one) => b.some((other) => isSamePublisher(one, other)));
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

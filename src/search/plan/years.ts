import { INDEXED_YEAR_MAX } from "../index/filter-token.ts";
import { type Match, anyMatch, withToken } from "./match.ts";

const YEARS_PER_DECADE = 10;
const YEARS_PER_CENTURY = 100;

/** Steps by which a range is covered, longest first, with what their tokens add to the code of the field. */
const STEPS = [
  { years: YEARS_PER_CENTURY, suffix: "c" },
  { years: YEARS_PER_DECADE, suffix: "d" },
  { years: 1, suffix: "" },
] as const;

/**
 * Works with a year from one to another, both included, by at most 67 tokens of centuries, decades and years
 * (search.md 13.3); undefined when there is no such year in the index. `code` is that of the field.
 */
export function yearMatch(code: string, from: number, to: number): Match | undefined {
  const tokens: string[] = [];
  const last = Math.min(to, INDEXED_YEAR_MAX);
  for (let year = Math.max(0, from); year <= last;) {
    const step = stepAt(year, last);
    tokens.push(`${code}${step.suffix}=${Math.floor(year / step.years)}`);
    year += step.years;
  }
  const [first, ...more] = tokens.map((token) => withToken(token));
  return first === undefined ? undefined : anyMatch([first, ...more]);
}

function stepAt(year: number, last: number): (typeof STEPS)[number] {
  const [century, decade, single] = STEPS;
  const fits = ({ years }: { readonly years: number }): boolean =>
    year % years === 0 && year + years - 1 <= last;
  if (fits(century)) return century;
  return fits(decade) ? decade : single;
}

import { yearOf } from "../search/documents/values.ts";

/** A date as far as it is known. */
export interface DateParts {
  readonly year: number;
  /** From 1. */
  readonly month?: number;
  readonly day?: number;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const ISO = /^\s*(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\s*$/;
/** `March 1, 2001`, `Mar. 2001` */
const MONTH_FIRST = /^\s*(\p{L}{3,9})\.?,? (?:(\d{1,2})(?:st|nd|rd|th)?,? )?(\d{4})\s*$/u;
const YEAR = /(?<!\d)\d{4}(?!\d)/;
/** `1 March 2001` */
const DAY_FIRST = /^\s*(\d{1,2})(?:st|nd|rd|th|\.)? (\p{L}{3,9})\.?,? (\d{4})\s*$/u;

/** The date that a text of a record states, English names of months included; undefined without a year. */
export function dateParts(text: string | undefined): DateParts | undefined {
  if (text === undefined) return undefined;
  const [, isoYear, isoMonth, isoDay] = ISO.exec(text) ?? [];
  if (isoYear !== undefined) return parts(Number(isoYear), Number(isoMonth), isoDay);
  const [, name, day, year] = MONTH_FIRST.exec(text) ?? [];
  if (name !== undefined) return parts(Number(year), monthNumber(name), day);
  const [, before, word, after] = DAY_FIRST.exec(text) ?? [];
  if (word !== undefined) return parts(Number(after), monthNumber(word), before);
  // `c1999` has no word of its own for its year.
  const found = yearOf(text) ?? yearOf(YEAR.exec(text)?.[0] ?? "");
  return found === undefined ? undefined : { year: found };
}

/** `2001-03-01`, or as much of it as is known. */
export function isoDate({ year, month, day }: DateParts): string {
  const texts = [String(year).padStart(4, "0")];
  for (const part of [month, day]) if (part !== undefined) texts.push(String(part).padStart(2, "0"));
  return texts.join("-");
}

function parts(year: number, month: number, dayText: string | undefined): DateParts {
  if (!(month >= 1 && month <= 12)) return { year };
  const day = Number(dayText);
  return day >= 1 && day <= 31 ? { year, month, day } : { year, month };
}

/** From 1; 0 for what is no English name of a month. */
function monthNumber(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

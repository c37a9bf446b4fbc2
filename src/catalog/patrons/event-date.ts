import { parseDate } from "../publication-date.ts";
import type { TextKey } from "../texts.ts";
import { DAY_MS } from "../units.ts";

interface EventDate {
  /** 1 to 9999. */
  readonly year: number;
  /** 1 to 12. */
  readonly month?: number | null | undefined;
  /** 1 to 31; only with a month. */
  readonly day?: number | null | undefined;
}

const YEAR_DIGITS = 4;

/** Returns the error of a date whose parts are each within their bounds, as the key of its text. */
export function findDateFlaw({ year, month, day }: EventDate): TextKey | undefined {
  if (isMissing(day)) return undefined;
  if (isMissing(month)) return "validation.month_required";
  return day > new Date(Date.UTC(year, month, 0)).getUTCDate() ? "validation.calendar_date" : undefined;
}

/** Formats `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, which sort like dates. Q216: years have four digits. */
export function formatEventDate({ year, month, day }: EventDate): string {
  const parts = isMissing(month) ? [] : isMissing(day) ? [month] : [month, day];
  const texts = parts.map((part) => String(part).padStart(2, "0"));
  return [String(year).padStart(YEAR_DIGITS, "0"), ...texts].join("-");
}

const ISO = /^(?<year>\d{4})(?:[-/.](?<month>\d{1,2})(?:[-/.](?<day>\d{1,2}))?)?$/;
const YEAR_LAST = /^(?<first>\d{1,2})(?<between>[-/.])(?<second>\d{1,2})\k<between>(?<year>\d{4})$/;

/** Days before today that a word means, in the languages of the pages. */
const NEAR_DAYS: ReadonlyMap<string, number> = new Map([
  ...["today", "heute", "aujourd'hui", "aujourd’hui", "hoy", "اليوم"].map((word) => [word, 0] as const),
  ...["yesterday", "gestern", "hier", "ayer", "أمس"].map((word) => [word, 1] as const),
]);
const DAY_LENGTH = "2026-05-10".length;

/**
 * Reads a date as people type it: `2026`, `2026-05`, `2026-05-10`, `10.5.2026`, `05/10/2026`, `10 May 2026`, `mayo 2026`, and
 * with `now`, in milliseconds, `yesterday`. Returns all its possible days, as `formatEventDate`: two for `05/10/2026`, none
 * for a text that is not a date.
 */
export function readTypedDate(text: string, now?: number): string[] {
  const typed = text.trim();
  const ago = NEAR_DAYS.get(typed.toLowerCase());
  if (ago !== undefined && now !== undefined) {
    return [new Date(now - ago * DAY_MS).toISOString().slice(0, DAY_LENGTH)];
  }
  const iso = ISO.exec(typed)?.groups;
  if (iso !== undefined) return formatValidDates([toEventDate(iso["year"], iso["month"], iso["day"])]);
  const { first, second, between, year } = YEAR_LAST.exec(typed)?.groups ?? {};
  if (year === undefined) {
    const named = parseDate(typed);
    const isNamed =
      named?.month !== undefined && named.certainty === undefined && named.lastYear === undefined;
    return isNamed ? formatValidDates([named]) : [];
  }
  const dayFirst = toEventDate(year, second, first);
  // Dates with dots have the day first.
  return formatValidDates(between === "." ? [dayFirst] : [dayFirst, toEventDate(year, first, second)]);
}

function toEventDate(year?: string, month?: string, day?: string): EventDate {
  return {
    year: Number(year),
    month: month === undefined ? null : Number(month),
    day: day === undefined ? null : Number(day),
  };
}

function formatValidDates(dates: readonly EventDate[]): string[] {
  const isValid = ({ year, month, day }: EventDate): boolean =>
    year > 0 &&
    month !== 0 &&
    day !== 0 &&
    (month ?? 1) <= 12 &&
    findDateFlaw({ year, month, day }) === undefined;
  return [...new Set(dates.filter(isValid).map(formatEventDate))];
}

function isMissing(part: number | null | undefined): part is null | undefined {
  return part === null || part === undefined;
}

/** A date of a check-in: a year, a month of it, or a day of that. */
interface EventDate {
  /** 1 to 9999. */
  readonly year: number;
  /** 1 to 12. */
  readonly month?: number | null | undefined;
  /** 1 to 31; only with a month. */
  readonly day?: number | null | undefined;
}

/** What is wrong with parts that are each within their bounds. */
export type DateFlaw = "day-without-month" | "no-such-day";

const YEAR_DIGITS = 4;

/** What is wrong with a date; undefined when nothing is. */
export function dateFlaw({ year, month, day }: EventDate): DateFlaw | undefined {
  if (isMissing(day)) return undefined;
  if (isMissing(month)) return "day-without-month";
  return day > new Date(Date.UTC(year, month, 0)).getUTCDate() ? "no-such-day" : undefined;
}

/** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, so that texts sort as the dates do. Q216: the year has four digits, always. */
export function dateText({ year, month, day }: EventDate): string {
  const parts = isMissing(month) ? [] : isMissing(day) ? [month] : [month, day];
  const texts = parts.map((part) => String(part).padStart(2, "0"));
  return [String(year).padStart(YEAR_DIGITS, "0"), ...texts].join("-");
}

function isMissing(part: number | null | undefined): part is null | undefined {
  return part === null || part === undefined;
}

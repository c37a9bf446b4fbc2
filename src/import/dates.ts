import type { Json } from "../catalog/record.ts";

/** Four digits that no letter, digit or underscore touches: word boundaries know all scripts here. */
const YEAR = /(?<![\p{L}\p{N}_])\d{4}(?![\p{L}\p{N}_])/u;

/** What producers write where they know no date (import.md 10.2). */
const SUSPECT_DATES: ReadonlySet<Json> = new Set([
  "1900",
  "January 1, 1900",
  "1900-01-01",
  "01-01-1900",
  "????",
]);

/** The year in a publish date, text or number; undefined where none stands in it (import.md 10.2). */
export function publicationYear(date: Json | undefined): number | undefined {
  if (typeof date !== "string" && typeof date !== "number") return undefined;
  const year = YEAR.exec(String(date))?.[0];
  return year === undefined ? undefined : Number(year);
}

/** Whether a publish date says that none is known. */
export function isSuspectDate(date: Json | undefined): boolean {
  return date !== undefined && SUSPECT_DATES.has(date);
}

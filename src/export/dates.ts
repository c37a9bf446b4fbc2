import { type PublicationDate, formatIsoDate, isYearUnknown } from "../catalog/publication-date.ts";

/** Meaning of a date in export formats, by what they can express. */
interface ExportDate {
  /** ISO 8601: a date, or an interval of years such as `1900/1999`. */
  readonly iso?: string;
  /** For formats that can only state one day, month or year: undefined if the year is not known, or before the year 1. */
  readonly single?: PublicationDate;
  /** For readers: `1900–1999`, `ca. 1850`, `400 BC`. */
  readonly text?: string;
}

/** Q790: says what a date means for exports. `beforeChrist` is the abbreviation in the language of the text. */
export function exportDateOf(date: PublicationDate | undefined, beforeChrist = "BC"): ExportDate {
  if (date === undefined) return {};
  const { year, lastYear, certainty, calendar } = date;
  // A year of another calendar is part of two: the first one stands for it.
  const isDefinite = !isYearUnknown(date) || (calendar !== undefined && lastYear === year + 1);
  const toText = (each: number) => (each > 0 ? String(each) : `${1 - each} ${beforeChrist}`);
  const about = certainty === undefined ? "" : "ca. ";
  return {
    iso: formatIsoDate(date) + (lastYear === undefined ? "" : `/${formatIsoDate({ year: lastYear })}`),
    ...(isDefinite && year > 0 && { single: date }),
    text: lastYear === undefined ? about + toText(year) : `${toText(year)}–${toText(lastYear)}`,
  };
}

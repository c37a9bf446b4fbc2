import { stringsOf } from "../../catalog/record.ts";
import { type ImportRecord, hasSourceFrom, hasSourceStarting, publicationYear } from "../record.ts";
import { ImportFailure } from "../failure.ts";

/** Current time, as far as the checks need it. */
export interface LoadTime {
  /** The current year, UTC. */
  readonly year: number;
}

const BOOKSELLERS: ReadonlySet<string> = new Set(["amazon", "bwb"]);
const SELF_PUBLISHERS: ReadonlySet<string> = new Set([
  "independently published",
  "independent publisher",
  "createspace independent publishing platform",
]);
/** First publication year that is plausible for booksellers. */
const EARLIEST_YEAR = 1400;

/** Returns true for books promised as donations: they skip the checks, and are overwritten later. */
export function isPromise(record: ImportRecord): boolean {
  return hasSourceStarting(record, "promise:");
}

/**
 * Throws ImportFailure for a record that is not wanted. Records of archive items always pass. The caller decides
 * whether to exempt promised books.
 */
export function checkRecord(record: ImportRecord, { year: currentYear }: LoadTime): void {
  if (hasSourceStarting(record, "ia:")) return;
  const isSold = hasSourceFrom(record, BOOKSELLERS);
  const year = publicationYear(record["publish_date"]);
  if (year !== undefined && year < EARLIEST_YEAR && isSold) {
    const text = `publication year is too old (i.e. earlier than ${EARLIEST_YEAR}): ${year}`;
    throw new ImportFailure("publication-year-too-old", text);
  }
  if (year !== undefined && year > currentYear) {
    throw new ImportFailure("published-in-future-year", `published in future year: ${year}`);
  }
  if (stringsOf(record["publishers"]).some((publisher) => SELF_PUBLISHERS.has(publisher.toLowerCase()))) {
    throw new ImportFailure("independently-published", "book is independently published");
  }
  const isbns = ["isbn_10", "isbn_13"].flatMap((name) => stringsOf(record[name]));
  if (isSold && !isbns.some((isbn) => isbn !== "") && !hasSourceStarting(record, "amazon:B")) {
    throw new ImportFailure("source-needs-isbn", "this source needs an ISBN");
  }
}

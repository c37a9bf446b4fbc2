import { bothIsbns } from "../catalog/identifiers/isbn.ts";
import { stringsOf } from "../catalog/record.ts";
import { type ImportRecord, isFalsy, isTextList, nonIsbnAsin } from "./record.ts";

/** Members of a complete record. */
const NEEDED = ["title", "authors", "publish_date"];
/** Members that an incomplete record takes from a staged record. */
const FILLED = [
  "authors",
  "description",
  "isbn_10",
  "isbn_13",
  "number_of_pages",
  "physical_format",
  "publish_date",
  "publishers",
  "title",
];

/**
 * Lookup of staged records by identifier: returns the record of the first staged or pending item, or undefined. Item
 * names are `<source>:<identifier>`, for all sources that stage records.
 */
export type StagedLookup = (identifiers: readonly string[]) => Promise<ImportRecord | undefined>;

/** Returns true if a record should be completed from a staged item. */
export function needsSupplement(record: ImportRecord): boolean {
  return NEEDED.some((name) => isFalsy(record[name]));
}

/** Returns the identifiers under which items for this record are staged: both forms of its ISBN, and its ASIN. */
export function supplementIds(record: ImportRecord): string[] {
  const forms = ["isbn_13", "isbn_10"]
    .map((name) => bothIsbns(stringsOf(record[name])[0] ?? ""))
    .find((both) => both.some((form) => form !== undefined));
  const identifiers = [...(forms ?? []), nonIsbnAsin(record)];
  return identifiers.filter((one) => one !== undefined);
}

/** Returns a copy of the record with its missing members taken from a staged one, and the sources of both. */
export function supplemented(record: ImportRecord, staged: ImportRecord): ImportRecord {
  const taken = FILLED.filter((name) => isFalsy(record[name]) && !isFalsy(staged[name]));
  const filled = Object.fromEntries(taken.map((name) => [name, staged[name]]));
  const sources = [...new Set([record, staged].flatMap((one) => stringsOf(one["source_records"])))];
  const { source_records: present = null } = record;
  // Sources of a wrong type are left for the validator to report.
  const isReadable = present === null || isTextList(present);
  return { ...record, ...filled, ...(isReadable && sources.length > 0 && { source_records: sources }) };
}

import { bothIsbns } from "../catalog/identifiers/isbn.ts";
import { stringsOf } from "../catalog/record.ts";
import { type ImportRecord, isFalsy, isTextList, nonIsbnAsin } from "./record.ts";

/** A record without one of these is incomplete. */
const NEEDED = ["title", "authors", "publish_date"];
/** What a staged record gives to one that lacks it. */
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
 * Looks for what was staged under identifiers: the record of the first staged or pending item, or undefined. The names
 * of items are `<source>:<identifier>`, of all sources that stage.
 */
export type StagedLookup = (identifiers: readonly string[]) => Promise<ImportRecord | undefined>;

/** Whether a record should be filled from a staged item. */
export function needsSupplement(record: ImportRecord): boolean {
  return NEEDED.some((name) => isFalsy(record[name]));
}

/** Identifiers that items for this record are staged under: both forms of its ISBN, its ASIN. */
export function supplementIds(record: ImportRecord): string[] {
  const forms = ["isbn_13", "isbn_10"]
    .map((name) => bothIsbns(stringsOf(record[name])[0] ?? ""))
    .find((both) => both.some((form) => form !== undefined));
  const identifiers = [...(forms ?? []), nonIsbnAsin(record)];
  return identifiers.filter((one) => one !== undefined);
}

/** The record with what it lacks from a staged one, and the sources of both. Neither is changed. */
export function supplemented(record: ImportRecord, staged: ImportRecord): ImportRecord {
  const taken = FILLED.filter((name) => isFalsy(record[name]) && !isFalsy(staged[name]));
  const filled = Object.fromEntries(taken.map((name) => [name, staged[name]]));
  const sources = [...new Set([record, staged].flatMap((one) => stringsOf(one["source_records"])))];
  const { source_records: present = null } = record;
  // Sources of a wrong type stay as they are, so that the validator says so.
  const isReadable = present === null || isTextList(present);
  return { ...record, ...filled, ...(isReadable && sources.length > 0 && { source_records: sources }) };
}

import { type CatalogRecord, type Json, isObject, stringsOf } from "../catalog/record.ts";
import { yearOf } from "../search/documents/values.ts";

/**
 * A record to be imported: one flat JSON object. Members that no rule names are stored as they are; those
 * that rules name may still have any type until the record is validated.
 */
export type ImportRecord = CatalogRecord;

/** The record without some of its members. */
export function without(record: ImportRecord, ...names: readonly string[]): ImportRecord {
  if (!names.some((name) => Object.hasOwn(record, name))) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** Whether a member says nothing: absent, null, false, 0, or an empty text, list or object. */
export function isFalsy(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return !value;
  return Object.keys(value).length === 0;
}

/** Whether a value is a list of texts. */
export function isTextList(value: Json): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}

const ASIN_SOURCE = "amazon:B";
const ASIN_FROM = "amazon:".length;

/** Whether one of the sources has one of these prefixes. Records not yet validated may hold anything there. */
export function hasSourceFrom(record: ImportRecord, prefixes: ReadonlySet<string>): boolean {
  return stringsOf(record["source_records"]).some((source) => prefixes.has(source.split(":", 1)[0] ?? ""));
}

/** Whether one of the sources starts with this text. */
export function hasSourceStarting(record: ImportRecord, start: string): boolean {
  return stringsOf(record["source_records"]).some((source) => source.startsWith(start));
}

/** A retailer's number that is no ISBN: from the identifiers, else from the sources. */
export function nonIsbnAsin(record: ImportRecord): string | undefined {
  const { identifiers } = record;
  const amazon = stringsOf(isObject(identifiers) ? identifiers["amazon"] : undefined);
  const named = amazon.find((value) => value.startsWith("B"));
  if (named !== undefined) return named;
  return stringsOf(record["source_records"])
    .find((source) => source.startsWith(ASIN_SOURCE))
    ?.slice(ASIN_FROM);
}

/** What producers write where they know no date. */
const SUSPECT_DATES: ReadonlySet<Json> = new Set([
  "1900",
  "January 1, 1900",
  "1900-01-01",
  "01-01-1900",
  "????",
]);

/** The year in a publish date, text or number; undefined where none stands in it. */
export function publicationYear(date: Json | undefined): number | undefined {
  if (typeof date !== "string" && typeof date !== "number") return undefined;
  return yearOf(String(date));
}

/** Whether a publish date says that none is known. */
export function isSuspectDate(date: Json | undefined): boolean {
  return date !== undefined && SUSPECT_DATES.has(date);
}

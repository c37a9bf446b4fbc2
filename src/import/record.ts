import { findHalfSurrogate } from "../catalog/storable-text.ts";
import {
  type CatalogRecord,
  type Json,
  DOCUMENT_DEPTH_MAX,
  isObject,
  isTooDeep,
  omitMembers,
  stringsOf,
} from "../catalog/record.ts";
import { dateTextOf, parseDate } from "../catalog/publication-date.ts";
import { decodeUtf8 } from "../catalog/bytes.ts";
import { ImportFailure } from "./failure.ts";
import { type ImportWarning, addWarning } from "./warning.ts";

/**
 * Record to import: one flat JSON object. Members without a rule are stored unchanged. Members with a rule may have any
 * type until the record is validated.
 */
export type ImportRecord = CatalogRecord;

/** Returns true if a member has no content: absent, null, false, 0, or an empty text, list or object. */
export function isFalsy(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return !value;
  return Object.keys(value).length === 0;
}

export function isTextList(value: Json): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}

const ASIN_SOURCE = "amazon:B";
const ASIN_FROM = "amazon:".length;

/** Returns true if a source has one of the prefixes. Unvalidated records may have any value there. */
export function hasSourceFrom(record: ImportRecord, prefixes: ReadonlySet<string>): boolean {
  return stringsOf(record["source_records"]).some((source) => prefixes.has(source.split(":", 1)[0] ?? ""));
}

export function hasSourceStarting(record: ImportRecord, start: string): boolean {
  return stringsOf(record["source_records"]).some((source) => source.startsWith(start));
}

/** Returns the retailer's number that is not an ISBN, from the identifiers or else from the sources. */
export function nonIsbnAsin(record: ImportRecord): string | undefined {
  const { identifiers } = record;
  const amazon = stringsOf(isObject(identifiers) ? identifiers["amazon"] : undefined);
  const named = amazon.find((value) => value.startsWith("B"));
  if (named !== undefined) return named;
  return stringsOf(record["source_records"])
    .find((source) => source.startsWith(ASIN_SOURCE))
    ?.slice(ASIN_FROM);
}

/** Texts of producers for an unknown date or publisher. */
export const UNKNOWN_TEXT = "????";
const SUSPECT_DATES: ReadonlySet<Json> = new Set([
  "1900",
  "January 1, 1900",
  "1900-01-01",
  "01-01-1900",
  UNKNOWN_TEXT,
]);

/** Returns the year in a publish date, even one far ahead. Returns undefined if it has none. */
export function publicationYear(date: Json | undefined): number | undefined {
  return parseDate(dateTextOf(date), Infinity)?.year;
}

/** Returns a record without a date of publication that is a placeholder for an unknown one. */
export function withoutSuspectDate(record: ImportRecord, warnings: ImportWarning[]): ImportRecord {
  const { publish_date: date } = record;
  if (date === undefined || !SUSPECT_DATES.has(date)) return record;
  // Producers write this for books of unknown date, so nothing is lost.
  if (date !== UNKNOWN_TEXT) addWarning(warnings, "invalid-date", ["publish_date", date]);
  return omitMembers(record, "publish_date");
}

/** Parses a record from the bytes of a JSON object. Throws ImportFailure `invalid-json` with the reason. */
export function recordOfJson(bytes: Uint8Array): ImportRecord {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new ImportFailure("invalid-json", "not_imported.record_utf8");
  return parseRecord(text);
}

/** Parses a record from the text of a JSON object. Throws ImportFailure `invalid-json` with the reason. */
export function parseRecord(text: string): ImportRecord {
  const value = parseJson(text);
  if (!isObject(value)) throw new ImportFailure("invalid-json", "not_imported.not_object");
  if (isTooDeep(value)) {
    const values = { most: DOCUMENT_DEPTH_MAX };
    throw new ImportFailure("invalid-json", { key: "bad_data.depth", values });
  }
  const path = findHalfSurrogate(value);
  if (path !== undefined) {
    const values = { name: path.join(".") };
    throw new ImportFailure("invalid-json", { key: "not_imported.surrogate", values });
  }
  return value;
}

function parseJson(text: string): Json {
  try {
    // JSON text always parses to a JSON value.
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ImportFailure("invalid-json", { key: "not_imported.json", values: { reason: error.message } });
  }
}

/** Serialises a value with the members of every object sorted by name, the form of queued records. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_name, member: Json) => (isObject(member) ? sortMembers(member) : member));
}

function sortMembers(object: CatalogRecord): CatalogRecord {
  const names = Object.keys(object).toSorted();
  // Created without a prototype, because a member may be named `__proto__`.
  const result: Record<string, Json | undefined> = Object.create(null);
  for (const name of names) result[name] = object[name];
  return result;
}

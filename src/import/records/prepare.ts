import { dropControls, findControl } from "../../catalog/storable-text.ts";
import { type Json, stringsOf, omitMembers } from "../../catalog/record.ts";
import {
  type ImportRecord,
  hasSourceFrom,
  hasSourceStarting,
  UNKNOWN_TEXT,
  publicationYear,
  withoutSuspectDate,
} from "../record.ts";
import { ImportFailure } from "../failure.ts";
import { OWN_MEMBERS } from "../../catalog/types.ts";
import { type ImportWarning, addWarning } from "../warning.ts";
import { limitEntries } from "./members.ts";
import {
  toTypedRecord,
  normalizeAuthors,
  normalizeIdentifiers,
  extractSubtitle,
  decodeEntities,
} from "./normalize.ts";

/** Current year (UTC), which the checks compare with. */
export interface ImportTime {
  year: number;
}

const BOOKSELLERS: ReadonlySet<string> = new Set(["amazon", "bwb"]);
const SELF_PUBLISHERS: ReadonlySet<string> = new Set([
  "independently published",
  "independent publisher",
  "createspace independent publishing platform",
]);
const EARLIEST_YEAR = 1400;

/**
 * Throws ImportFailure for a record that must not be imported. Records of archive items always pass. The caller may
 * exempt promised books.
 */
export function checkRecord(record: ImportRecord, { year: currentYear }: ImportTime): void {
  if (hasSourceStarting(record, "ia:")) return;
  const isSold = hasSourceFrom(record, BOOKSELLERS);
  const year = publicationYear(record["publish_date"]);
  if (year !== undefined && year < EARLIEST_YEAR && isSold) {
    const values = { earliest: EARLIEST_YEAR, year };
    throw new ImportFailure("publication-year-too-old", { key: "not_imported.too_old", values });
  }
  if (year !== undefined && year > currentYear) {
    throw new ImportFailure("published-in-future-year", { key: "not_imported.future", values: { year } });
  }
  if (stringsOf(record["publishers"]).some((publisher) => SELF_PUBLISHERS.has(publisher.toLowerCase()))) {
    throw new ImportFailure("independently-published", "not_imported.self_published");
  }
  const isbns = ["isbn_10", "isbn_13"].flatMap((name) => stringsOf(record[name]));
  if (isSold && !isbns.some((isbn) => isbn !== "") && !hasSourceStarting(record, "amazon:B")) {
    throw new ImportFailure("source-needs-isbn", "not_imported.no_isbn");
  }
}

const DATE_PLACEHOLDER_SOURCES: ReadonlySet<string> = new Set(["amazon", "bwb", "promise"]);

/**
 * Checks, cleans and normalises a record for matching and storing. Adds changed and dropped values to `warnings`. Returns a
 * copy. Throws ImportFailure.
 */
export function prepareRecord(
  sent: ImportRecord,
  time: ImportTime,
  warnings: ImportWarning[] = [],
): ImportRecord {
  const record = dropControls(sent);
  for (const [name, value = null] of record === sent ? [] : Object.entries(sent)) {
    const path = findControl({ [name]: value });
    if (path !== undefined) addWarning(warnings, "control-characters", [path.join("."), value]);
  }
  // Books promised as donations are overwritten later.
  if (!hasSourceStarting(record, "promise:")) checkRecord(record, time);
  requireMembers(record);
  const typed = toTypedRecord(toStorableMembers(record, warnings), warnings);
  const { publish_date: date } = typed;
  const isFuture = (publicationYear(date) ?? 0) > time.year;
  if (isFuture) addWarning(warnings, "invalid-date", ["publish_date", date ?? null]);
  const decoded = decodeEntities(isFuture ? omitMembers(typed, "publish_date") : typed);
  const identified = normalizeIdentifiers(extractSubtitle(decoded), warnings);
  const authored = normalizeAuthors(identified, warnings);
  const isUnknown = JSON.stringify(authored["publishers"]) === JSON.stringify([UNKNOWN_TEXT]);
  const normal = isUnknown ? omitMembers(authored, "publishers") : authored;
  return hasSourceFrom(normal, DATE_PLACEHOLDER_SOURCES) ? withoutSuspectDate(normal, warnings) : normal;
}

/** Throws ImportFailure `missing-required-field` if title or sources are absent or empty. */
export function requireMembers(record: ImportRecord): void {
  const missing = ["title", "source_records"].filter((name) => isEmpty(record[name]));
  if (missing.length > 0) throw missingFields(missing);
}

export function missingFields(names: readonly string[]): ImportFailure {
  const text = { key: "not_imported.missing_fields", values: { names: names.join(", ") } } as const;
  return new ImportFailure("missing-required-field", text);
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  return Array.isArray(value) && value.length === 0;
}

/**
 * Removes the members of the envelope, which a record must not set (Q321), nulls, and infinite numbers (`1e999`), which
 * JSON can express but not store. Shortens the others. Adds all but nulls to `warnings`.
 */
function toStorableMembers(record: ImportRecord, warnings: ImportWarning[]): ImportRecord {
  const members = Object.entries(record).flatMap(([name, value = null]): [string, Json][] => {
    if (value === null) return [];
    const isInfinite = typeof value === "number" && !Number.isFinite(value);
    if (!OWN_MEMBERS.has(name) && !isInfinite) return [[name, limitEntries(value, name, warnings)]];
    addWarning(warnings, "invalid-value", [name, isInfinite ? String(value) : value]);
    return [];
  });
  return Object.fromEntries(members);
}

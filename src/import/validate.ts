import { type Json, isObject } from "../catalog/record.ts";
import { ImportFailure } from "./failure.ts";
import { type ImportRecord, hasSourceFrom, isSuspectDate, without } from "./record.ts";

/** Names of nobody. */
const NOBODY: ReadonlySet<string> = new Set(["unknown", "n/a"]);
/** Sources whose dates are believed. */
const BELIEVED: ReadonlySet<string> = new Set(["wikisource"]);

/** Q325: the record with its named authors only, and without a date that means that none is known. */
function cleanedRecord(record: ImportRecord): ImportRecord {
  const { authors } = record;
  const named = { ...record, authors: Array.isArray(authors) ? authors.filter(isNamed) : [] };
  const drop = isSuspectDate(record["publish_date"]) && !hasSourceFrom(record, BELIEVED);
  return drop ? without(named, "publish_date") : named;
}

function isNamed(author: Json): boolean {
  if (!isObject(author)) return false;
  const { name } = author;
  return typeof name === "string" && !NOBODY.has(name.toLowerCase());
}

/** What a value can be wrong in, and how reports put it. */
export const VIOLATIONS = {
  missing: "Field required",
  string_type: "Input should be a valid string",
  string_too_short: "String should have at least 1 character",
  list_type: "Input should be a valid list",
  too_short: "List should have at least 1 item after validation, not 0",
} as const;

/** Names and places down to a value, such as `["authors", 0, "name"]`. */
type Location = readonly (string | number)[];
/** A rule that a record breaks. */
interface Violation {
  readonly location: Location;
  readonly type: keyof typeof VIOLATIONS;
}
type Check = (value: Json | undefined, at: Location) => readonly Violation[];

/** What a complete record has, in the order of the report. */
const COMPLETE: readonly (readonly [name: string, check: Check])[] = [
  ["title", text],
  ["source_records", texts],
  ["authors", (authors, at) => list(authors, { at, element: authorName })],
  ["publishers", texts],
  ["publish_date", text],
];
const ALWAYS: ReadonlySet<string | number | undefined> = new Set(["title", "source_records"]);
/** Members of which one is enough beside those. */
const STRONG_IDENTIFIERS = ["isbn_10", "isbn_13", "lccn"];

/**
 * What a cleaned record lacks to be complete; nothing where it is complete, or where an identifier makes up for the rest.
 */
function violationsOfCleaned(record: ImportRecord): readonly Violation[] {
  const violations = COMPLETE.flatMap(([name, check]) => check(record[name], [name]));
  return violations.length > 0 && !isStronglyIdentified(record, violations) ? violations : [];
}

function isStronglyIdentified(record: ImportRecord, violations: readonly Violation[]): boolean {
  if (violations.some(({ location }) => ALWAYS.has(location[0]))) return false;
  const given = STRONG_IDENTIFIERS.map((name) => record[name] ?? null).filter((value) => value !== null);
  return given.length > 0 && given.every((value) => texts(value, []).length === 0);
}

function text(value: Json | undefined, at: Location): readonly Violation[] {
  if (value === undefined) return [{ location: at, type: "missing" }];
  if (typeof value !== "string") return [{ location: at, type: "string_type" }];
  return value === "" ? [{ location: at, type: "string_too_short" }] : [];
}

function texts(value: Json | undefined, at: Location): readonly Violation[] {
  return list(value, { at, element: text });
}

function authorName(author: Json | undefined, at: Location): readonly Violation[] {
  return text(isObject(author) ? author["name"] : undefined, [...at, "name"]);
}

function list(
  value: Json | undefined,
  { at, element }: { readonly at: Location; readonly element: Check },
): readonly Violation[] {
  if (value === undefined) return [{ location: at, type: "missing" }];
  if (!Array.isArray(value)) return [{ location: at, type: "list_type" }];
  if (value.length === 0) return [{ location: at, type: "too_short" }];
  return value.flatMap((one, index) => element(one, [...at, index]));
}

/** Violations that a report tells about one record; the others are counted. */
export const REPORTED_VIOLATIONS_MAX = 100;

/** What is told about a record that was refused, on one line. */
function reportText(violations: readonly Violation[]): string {
  const { length } = violations;
  const first = `${length} validation error${length === 1 ? "" : "s"} for CompleteBook`;
  const told = violations
    .slice(0, REPORTED_VIOLATIONS_MAX)
    .flatMap(({ location, type }) => [location.join("."), `  ${VIOLATIONS[type]} [type=${type}]`]);
  return [first, ...told].join(": ");
}

/**
 * The record as it is imported, cleaned; the one that was given stays as it is. Throws ImportFailure
 * `invalid-value` with a report when it is neither complete nor identified by an ISBN or LCCN.
 */
export function validatedRecord(record: ImportRecord): ImportRecord {
  const cleaned = cleanedRecord(record);
  const violations = violationsOfCleaned(cleaned);
  if (violations.length > 0) throw new ImportFailure("invalid-value", reportText(violations));
  return cleaned;
}

/** Why the record is refused; nothing when it is not. */
export function violationsOf(record: ImportRecord): readonly Violation[] {
  return violationsOfCleaned(cleanedRecord(record));
}

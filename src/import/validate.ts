import { type Text, english } from "../catalog/texts.ts";
import { withoutControls } from "../catalog/storable-text.ts";
import { type Json, isObject, stringsOf } from "../catalog/record.ts";
import { ImportFailure } from "./failure.ts";
import { type ImportRecord, hasSourceFrom, parseRecord, withoutSuspectDate } from "./record.ts";
import { type ImportTime, checkRecord } from "./records/prepare.ts";
import { type ImportWarning, addWarning } from "./warning.ts";

const UNKNOWN_AUTHORS: ReadonlySet<string> = new Set(["unknown", "n/a"]);
const TRUSTED_DATE_SOURCES: ReadonlySet<string> = new Set(["wikisource"]);

/** Q325: returns the record with named authors only, and without a placeholder date. */
function cleanRecord(record: ImportRecord, warnings: ImportWarning[]): ImportRecord {
  const { authors = [] } = record;
  const list = Array.isArray(authors) ? authors : [];
  if (!Array.isArray(authors) && authors !== null) addWarning(warnings, "wrong-type", ["authors", authors]);
  for (const [index, author] of list.entries()) {
    if (!isNamed(author)) addWarning(warnings, "invalid-author", [`authors.${index}`, author]);
  }
  const named = { ...record, authors: list.filter(isNamed) };
  const isTrusted = hasSourceFrom(record, TRUSTED_DATE_SOURCES);
  return isTrusted ? named : withoutSuspectDate(named, warnings);
}

function isNamed(author: Json): boolean {
  if (!isObject(author)) return false;
  const { name } = author;
  return typeof name === "string" && !UNKNOWN_AUTHORS.has(name.toLowerCase());
}

/** Texts of violations, in a report and in an error of a line. */
const VIOLATIONS = {
  missing: { key: "validation.missing", values: {}, line: "not_imported.line_missing" },
  string_type: { key: "validation.string", values: {}, line: "not_imported.line_string" },
  string_too_short: { key: "validation.string_min", values: { count: 1 }, line: "not_imported.line_empty" },
  list_type: { key: "validation.list", values: {}, line: "not_imported.line_list" },
  too_short: {
    key: "validation.list_min",
    values: { count: 1, actual: 0 },
    line: "not_imported.line_no_items",
  },
} as const;

/** Path of member names and list indexes to a value, such as `["authors", 0, "name"]`. */
type Location = readonly (string | number)[];
interface Violation {
  readonly location: Location;
  readonly type: keyof typeof VIOLATIONS;
}
type Check = (value: Json | undefined, at: Location) => readonly Violation[];

/** Required members of a complete record, in report order. */
const COMPLETE: readonly (readonly [name: string, check: Check])[] = [
  ["title", checkText],
  ["source_records", checkTexts],
  ["authors", (authors, at) => checkList(authors, { at, element: checkAuthorName })],
  ["publishers", checkTexts],
  ["publish_date", checkText],
];
const ALWAYS: ReadonlySet<string | number | undefined> = new Set(["title", "source_records"]);
const STRONG_IDENTIFIERS = ["isbn_10", "isbn_13", "lccn"];

/** Returns the violations of an incomplete record, none if an identifier makes up for the rest. */
function findViolations(record: ImportRecord): readonly Violation[] {
  const violations = COMPLETE.flatMap(([name, check]) => check(record[name], [name]));
  return violations.length > 0 && !isStronglyIdentified(record, violations) ? violations : [];
}

function isStronglyIdentified(record: ImportRecord, violations: readonly Violation[]): boolean {
  if (violations.some(({ location }) => ALWAYS.has(location[0]))) return false;
  const identifiers = STRONG_IDENTIFIERS.map((name) => record[name] ?? null).filter(
    (value) => value !== null,
  );
  return identifiers.length > 0 && identifiers.every((value) => checkTexts(value, []).length === 0);
}

function checkText(value: Json | undefined, at: Location): readonly Violation[] {
  if (value === undefined) return [{ location: at, type: "missing" }];
  if (typeof value !== "string") return [{ location: at, type: "string_type" }];
  return value === "" ? [{ location: at, type: "string_too_short" }] : [];
}

function checkTexts(value: Json | undefined, at: Location): readonly Violation[] {
  return checkList(value, { at, element: checkText });
}

function checkAuthorName(author: Json | undefined, at: Location): readonly Violation[] {
  return checkText(isObject(author) ? author["name"] : undefined, [...at, "name"]);
}

function checkList(
  value: Json | undefined,
  { at, element }: { at: Location; element: Check },
): readonly Violation[] {
  if (value === undefined) return [{ location: at, type: "missing" }];
  if (!Array.isArray(value)) return [{ location: at, type: "list_type" }];
  if (value.length === 0) return [{ location: at, type: "too_short" }];
  return value.flatMap((entry, index) => element(entry, [...at, index]));
}

/** Maximum number of violations reported per record. Further ones are only counted. */
const REPORTED_VIOLATIONS_MAX = 100;

function reportOf(violations: readonly Violation[]): Text {
  const reported = violations
    .slice(0, REPORTED_VIOLATIONS_MAX)
    .flatMap(({ location, type }) => [location.join("."), `  ${english(VIOLATIONS[type])} [type=${type}]`]);
  return { key: "not_imported.invalid", values: { count: violations.length, report: reported.join(": ") } };
}

/**
 * Returns a cleaned copy of the record for import. Throws ImportFailure `invalid-value` with a report if it is neither
 * complete nor identified by an ISBN or LCCN.
 */
export function validateRecord(record: ImportRecord, warnings: ImportWarning[] = []): ImportRecord {
  const cleaned = cleanRecord(record, warnings);
  const violations = findViolations(cleaned);
  if (violations.length > 0) throw new ImportFailure("invalid-value", reportOf(violations));
  return cleaned;
}

/** Returns the reasons for refusing a record, empty if it is valid. */
export function violationsOf(record: ImportRecord): readonly Violation[] {
  return findViolations(cleanRecord(record, []));
}

/** Returns the text of a violation in a batch. The date may be there, but a placeholder. */
function lineText({ location, type }: Violation): Text {
  const isDate = type === "missing" && location[0] === "publish_date";
  const key = isDate ? "not_imported.line_no_date" : VIOLATIONS[type].line;
  return { key, values: { field: location.join(", ") } };
}

export interface LineError {
  /** Line number from 1, counting every line of the file. */
  readonly line_number: number;
  readonly text: Text;
}

/**
 * Parses and checks a line of a batch that is not a comment. Returns all errors, or the first source and the record as
 * parsed. Q328: records of promised books get the same checks.
 */
export function parseBatchLine(
  line: string,
  lineNumber: number,
  time: ImportTime,
): readonly LineError[] | { readonly ia_id: string; readonly data: ImportRecord } {
  const errorOf = (text: Text): LineError => ({ line_number: lineNumber, text });
  try {
    const data = parseRecord(line);
    const violations = violationsOf(data);
    if (violations.length > 0) {
      return violations.slice(0, REPORTED_VIOLATIONS_MAX).map((violation) => errorOf(lineText(violation)));
    }
    checkRecord(data, time);
    // The validator guarantees a source.
    const [source = ""] = stringsOf(data["source_records"]);
    return { ia_id: withoutControls(source), data };
  } catch (error) {
    if (error instanceof ImportFailure) return [errorOf(error.text)];
    throw error;
  }
}

/** Maximum size of a queued record, in bytes of JSON. */
export const IMPORT_DATA_BYTES = 900_000;

export const TOO_LONG = { key: "not_imported.too_long", values: { most: IMPORT_DATA_BYTES } } as const;

import { type Json, isObject } from "../../catalog/record.ts";
import type { ImportRecord } from "../record.ts";
import { type Violation, violation } from "./violation.ts";

type Location = readonly (string | number)[];
type Check = (value: Json | undefined, at: Location) => readonly Violation[];

const NONE: readonly Violation[] = [];

/** What a complete record has, in the order of the report (import.md 11). */
const COMPLETE: readonly (readonly [name: string, check: Check])[] = [
  ["title", text],
  ["source_records", texts],
  ["authors", authors],
  ["publishers", texts],
  ["publish_date", text],
];
const ALWAYS: ReadonlySet<string | number | undefined> = new Set(["title", "source_records"]);
/** Members of which one is enough beside those. */
const STRONG_IDENTIFIERS = ["isbn_10", "isbn_13", "lccn"];

/**
 * What a cleaned record lacks to be complete; nothing where it is complete, or where an identifier makes up for the rest.
 */
export function violationsOfCleaned(record: ImportRecord): readonly Violation[] {
  const violations = COMPLETE.flatMap(([name, check]) => check(record[name], [name]));
  return violations.length > 0 && !isStronglyIdentified(record, violations) ? violations : NONE;
}

function isStronglyIdentified(record: ImportRecord, violations: readonly Violation[]): boolean {
  if (violations.some(({ location }) => ALWAYS.has(location[0]))) return false;
  const given = STRONG_IDENTIFIERS.map((name) => record[name] ?? null).filter((value) => value !== null);
  return given.length > 0 && given.every((value) => texts(value, []).length === 0);
}

function text(value: Json | undefined, at: Location): readonly Violation[] {
  if (value === undefined) return [violation("missing", at)];
  if (typeof value !== "string") return [violation("string_type", at)];
  return value === "" ? [violation("string_too_short", at)] : NONE;
}

function texts(value: Json | undefined, at: Location): readonly Violation[] {
  return list(value, { at, element: text });
}

function authors(value: Json | undefined, at: Location): readonly Violation[] {
  return list(value, { at, element: authorName });
}

function authorName(author: Json | undefined, at: Location): readonly Violation[] {
  return text(isObject(author) ? author["name"] : undefined, [...at, "name"]);
}

function list(
  value: Json | undefined,
  { at, element }: { readonly at: Location; readonly element: Check },
): readonly Violation[] {
  if (value === undefined) return [violation("missing", at)];
  if (!Array.isArray(value)) return [violation("list_type", at)];
  if (value.length === 0) return [violation("too_short", at)];
  return value.flatMap((one, index) => element(one, [...at, index]));
}

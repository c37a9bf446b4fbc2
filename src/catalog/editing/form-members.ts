import { type CatalogRecord, type Json, isObject, keyOf, stringsOf, textOf } from "../record.ts";
import { OWN_MEMBERS, findProperty } from "../types.ts";
import {
  joinSubjects,
  parseToc,
  splitLines,
  splitSemicolons,
  splitSubjects,
  formatToc,
  trimTexts,
  dropCaseDuplicates,
} from "./form-texts.ts";

type FieldFormat = "text" | "semicolons" | "subjects" | "lines" | "keys" | "toc";

const FIELD_FORMATS: ReadonlyMap<string, FieldFormat> = new Map<string, FieldFormat>([
  ["publishers", "semicolons"],
  ["publish_places", "semicolons"],
  ["subjects", "subjects"],
  ["subject_places", "subjects"],
  ["subject_people", "subjects"],
  ["subject_times", "subjects"],
  ["table_of_contents", "toc"],
]);

function formatOf(type: string, name: string): FieldFormat {
  const known = FIELD_FORMATS.get(name);
  if (known !== undefined) return known;
  const declared = findProperty(type, name);
  if (declared === undefined || declared.unique) return "text";
  return declared.expected_type === "/type/string" ? "lines" : "keys";
}

/** Returns the text that a form shows for a member of a record; empty for a value without a text form. */
export function fieldTextOf(type: string, name: string, value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  switch (formatOf(type, name)) {
    case "semicolons":
      return stringsOf(value).join("; ");
    case "subjects":
      return joinSubjects(stringsOf(value));
    case "lines":
      return stringsOf(value).join("\n");
    case "keys":
      return (Array.isArray(value) ? value : [value])
        .flatMap((reference) => keyOf(reference)?.replace(/^\/languages\//, "") ?? [])
        .join("\n");
    case "toc":
      return formatToc(value);
    default:
      return (typeof value === "object" ? (textOf(value) ?? "") : String(value))
        .replaceAll("\r\n", "\n")
        .trim();
  }
}

/**
 * Returns the members of a record from a form, by name. Null and empty arrays remove a member. A text that equals the
 * one for `shown` is left out, so that data that the text cannot represent survives.
 */
export function parseMembers(
  { type, rows }: { type: string; rows: ReadonlyMap<string, string> },
  fields: CatalogRecord,
  initial: CatalogRecord,
): Record<string, Json> {
  const entries: [string, Json][] = [];
  for (const [name, value = null] of Object.entries(fields)) {
    if (OWN_MEMBERS.has(name)) continue;
    if (typeof value === "string" && value === fieldTextOf(type, name, initial[name])) continue;
    entries.push([name, dropIncompleteRows(parseMember(type, name, value), rows.get(name))]);
  }
  return Object.fromEntries(entries);
}

function dropIncompleteRows(value: Json, needed: string | undefined): Json {
  if (needed === undefined || !Array.isArray(value)) return value;
  return value.filter((row) => isObject(row) && !isBlankField(row[needed]));
}

function parseMember(type: string, name: string, value: Json): Json {
  const format = formatOf(type, name);
  if (typeof value !== "string")
    return format === "subjects"
      ? dropCaseDuplicates(trimTexts(stringsOf(value)))
      : dropBlanks(value, format);
  switch (format) {
    case "semicolons":
      return splitSemicolons(value);
    case "subjects":
      return splitSubjects(value);
    case "lines":
      return splitLines(value);
    case "keys":
      return splitLines(value).map(toReference);
    case "toc":
      return parseToc(value);
    default:
      return value === "" ? null : value;
  }
}

function dropBlanks(value: Json, format: FieldFormat): Json {
  const values = (Array.isArray(value) ? value : [value]).filter((element) => !isBlankField(element));
  if (!Array.isArray(value) && format === "text") return value;
  return format === "keys" ? values.map((element) => toReference(keyOf(element) ?? element)) : values;
}

/** Returns a reference by key. A bare code is that of a language. */
function toReference(value: Json): Json {
  if (typeof value !== "string") return value;
  return { key: value.startsWith("/") ? value : `/languages/${value.toLowerCase()}` };
}

/** Returns true for empty form values: blank texts, and objects and arrays of only such values. */
export function isBlankField(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.every(isBlankField);
  return isObject(value) && Object.values(value).every(isBlankField);
}

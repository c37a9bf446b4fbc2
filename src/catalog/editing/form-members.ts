import { type CatalogRecord, type Json, isObject, keyOf, stringsOf, textOf } from "../record.ts";
import { OWN_MEMBERS, declaredProperty } from "../types.ts";
import {
  joinSubjects,
  parseTocText,
  splitLines,
  splitSemicolons,
  splitSubjects,
  tocText,
  trimmed,
  withoutRepeats,
} from "./form-texts.ts";

/** Text format of a member's values in a form field. */
type Manner = "text" | "semicolons" | "subjects" | "lines" | "keys" | "toc";

const MANNERS: ReadonlyMap<string, Manner> = new Map<string, Manner>([
  ["publishers", "semicolons"],
  ["publish_places", "semicolons"],
  ["subjects", "subjects"],
  ["subject_places", "subjects"],
  ["subject_people", "subjects"],
  ["subject_times", "subjects"],
  ["table_of_contents", "toc"],
]);

function mannerOf(type: string, name: string): Manner {
  const known = MANNERS.get(name);
  if (known !== undefined) return known;
  const declared = declaredProperty(type, name);
  if (declared === undefined || declared.unique) return "text";
  return declared.expected_type === "/type/string" ? "lines" : "keys";
}

/** Returns the text that a form shows for a member of a record; empty for a value without a text form. */
export function fieldText(type: string, name: string, value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  switch (mannerOf(type, name)) {
    case "semicolons":
      return stringsOf(value).join("; ");
    case "subjects":
      return joinSubjects(stringsOf(value));
    case "lines":
      return stringsOf(value).join("\n");
    case "keys":
      return (Array.isArray(value) ? value : [value])
        .flatMap((one) => keyOf(one)?.replace(/^\/languages\//, "") ?? [])
        .join("\n");
    case "toc":
      return tocText(value);
    default:
      return (typeof value === "object" ? (textOf(value) ?? "") : String(value))
        .replaceAll("\r\n", "\n")
        .trim();
  }
}

/** Form for a type of record: the key of the type, and a required member for the rows of some members. */
interface FormType {
  readonly type: string;
  readonly rows: ReadonlyMap<string, string>;
}

/**
 * Returns the members of a record from a form, by name. Null and empty arrays remove a member. A text that equals the
 * one for `shown` is left out, so that data that the text cannot represent survives.
 */
export function sentMembers(
  { type, rows }: FormType,
  sent: CatalogRecord,
  shown: CatalogRecord,
): Record<string, Json> {
  const entries: [string, Json][] = [];
  for (const [name, value = null] of Object.entries(sent)) {
    if (OWN_MEMBERS.has(name)) continue;
    if (typeof value === "string" && value === fieldText(type, name, shown[name])) continue;
    entries.push([name, countedRows(memberValue(type, name, value), rows.get(name))]);
  }
  return Object.fromEntries(entries);
}

function countedRows(value: Json, needed: string | undefined): Json {
  if (needed === undefined || !Array.isArray(value)) return value;
  return value.filter((row) => isObject(row) && !isBlank(row[needed]));
}

function memberValue(type: string, name: string, value: Json): Json {
  const manner = mannerOf(type, name);
  if (typeof value !== "string")
    return manner === "subjects" ? withoutRepeats(trimmed(stringsOf(value))) : withoutBlanks(value, manner);
  switch (manner) {
    case "semicolons":
      return splitSemicolons(value);
    case "subjects":
      return splitSubjects(value);
    case "lines":
      return splitLines(value);
    case "keys":
      return splitLines(value).map(reference);
    case "toc":
      return parseTocText(value);
    default:
      return value === "" ? null : value;
  }
}

function withoutBlanks(value: Json, manner: Manner): Json {
  const values = (Array.isArray(value) ? value : [value]).filter((one) => !isBlank(one));
  if (!Array.isArray(value) && manner === "text") return value;
  return manner === "keys" ? values.map((one) => reference(keyOf(one) ?? one)) : values;
}

/** Returns a reference by key. A bare code is that of a language. */
function reference(value: Json): Json {
  if (typeof value !== "string") return value;
  return { key: value.startsWith("/") ? value : `/languages/${value.toLowerCase()}` };
}

/** Returns true for empty form values: blank texts, and objects and arrays of only such values. */
export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.every(isBlank);
  return isObject(value) && Object.values(value).every(isBlank);
}

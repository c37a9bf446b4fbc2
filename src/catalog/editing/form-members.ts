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

/** How the values of a member stand in the one text of a form field. */
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
const LANGUAGES = "/languages/";

function mannerOf(type: string, name: string): Manner {
  const known = MANNERS.get(name);
  if (known !== undefined) return known;
  const declared = declaredProperty(type, name);
  if (declared === undefined || declared.unique) return "text";
  return declared.expected_type === "/type/string" ? "lines" : "keys";
}

/** The text that a form shows for a member of a record; empty for a value that no text stands for. */
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
      return keysOf(value).map(shortKey).join("\n");
    case "toc":
      return tocText(value);
    default:
      return (typeof value === "object" ? (textOf(value) ?? "") : String(value))
        .replaceAll("\r\n", "\n")
        .trim();
  }
}

function keysOf(value: Json): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => keyOf(one) ?? []);
}

function shortKey(key: string): string {
  return key.startsWith(LANGUAGES) ? key.slice(LANGUAGES.length) : key;
}

/**
 * What a form says of the members of a record of this type, by name; null and empty arrays take a member away. A text
 * that is still the one that `shown` has says nothing, so what a text cannot hold survives.
 */
export function sentMembers(type: string, sent: CatalogRecord, shown: CatalogRecord): CatalogRecord {
  const entries: [string, Json][] = [];
  for (const [name, value = null] of Object.entries(sent)) {
    if (OWN_MEMBERS.has(name)) continue;
    if (typeof value === "string" && value === fieldText(type, name, shown[name])) continue;
    entries.push([name, memberValue(type, name, value)]);
  }
  return Object.fromEntries(entries);
}

function memberValue(type: string, name: string, value: Json): Json {
  const manner = mannerOf(type, name);
  if (typeof value !== "string")
    return manner === "subjects" ? subjectValues(value) : withoutBlanks(value, manner);
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

function subjectValues(value: Json): Json {
  return withoutRepeats(trimmed(stringsOf(value)));
}

function withoutBlanks(value: Json, manner: Manner): Json {
  const values = (Array.isArray(value) ? value : [value]).filter((one) => !isBlank(one));
  if (!Array.isArray(value) && manner === "text") return value;
  return manner === "keys" ? values.map((one) => reference(keyOf(one) ?? one)) : values;
}

/** A reference by its key; a bare code is that of a language. */
function reference(value: Json): Json {
  if (typeof value !== "string") return value;
  return { key: value.startsWith("/") ? value : LANGUAGES + value.toLowerCase() };
}

/** True for values of a form that say nothing: blank texts, and objects and arrays of such. */
export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.every(isBlank);
  return isObject(value) && Object.values(value).every(isBlank);
}

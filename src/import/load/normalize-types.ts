import { type Json, isObject, keyOf } from "../../catalog/record.ts";
import { ImportFailure } from "../failure.ts";
import { type ImportRecord, isTextList } from "../record.ts";

const TEXTS = ["title", "subtitle", "ocaid", "cover", "openlibrary", "publish_country", "physical_format"];
const TEXT_LISTS = [
  "publishers",
  "isbn",
  "isbn_10",
  "isbn_13",
  "lccn",
  "oclc_numbers",
  "local_id",
  "lc_classifications",
  "subjects",
  "subject_places",
  "subject_times",
  "subject_people",
];
/** Members that name languages by text, or by reference as in editions. */
export const LANGUAGE_MEMBERS = ["languages", "translated_from"];
/** Expected types of members. The first violation is reported. */
const TYPES: readonly (readonly [
  names: readonly string[],
  is: (value: Json) => boolean,
  expected: string,
])[] = [
  [TEXTS, isText, "a text"],
  [TEXT_LISTS, isTextList, "a list of texts"],
  [LANGUAGE_MEMBERS, (list) => Array.isArray(list) && list.every(isNamed), "a list of texts"],
  [["publish_date"], (value) => isText(value) || typeof value === "number", "a text"],
  [["authors"], Array.isArray, "a list"],
  [["source_records"], isTextList, "a list of texts"],
];

/**
 * Returns the record with its sources and identifiers as lists, after checking the types of members with rules. Throws
 * ImportFailure `type-error` for wrong types. Other members are left to the record store.
 */
export function withCheckedTypes(record: ImportRecord): ImportRecord {
  const { source_records: given, identifiers } = record;
  const typed: ImportRecord = { ...record, source_records: typeof given === "string" ? [given] : given };
  for (const [names, is, expected] of TYPES) {
    for (const name of names) {
      const value = typed[name];
      if (value !== undefined && !is(value)) throw wrongType(name, expected);
    }
  }
  return identifiers === undefined ? typed : { ...typed, identifiers: identifierLists(identifiers) };
}

function identifierLists(identifiers: Json): ImportRecord {
  if (!isObject(identifiers)) throw wrongType("identifiers", "an object of lists of texts");
  return Object.fromEntries(
    Object.entries(identifiers).flatMap(([name, value = null]): [string, Json][] => {
      if (value === null) return [];
      const list = typeof value === "string" ? [value] : value;
      if (!isTextList(list)) throw wrongType(`identifiers.${name}`, "a list of texts");
      return [[name, list]];
    }),
  );
}

function isText(value: Json): boolean {
  return typeof value === "string";
}

function isNamed(element: Json): boolean {
  return isText(element) || keyOf(element) !== undefined;
}

function wrongType(name: string, expected: string): ImportFailure {
  return new ImportFailure("type-error", `${name} is not ${expected}`);
}

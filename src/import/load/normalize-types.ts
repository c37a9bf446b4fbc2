import { type Json, isObject, keyOf } from "../../catalog/record.ts";
import { ImportFailure } from "../failure.ts";
import { type ImportRecord, isTextList } from "../record.ts";

/** Members that rules read as one text. */
const TEXTS = ["title", "subtitle", "ocaid", "cover", "openlibrary", "publish_country", "physical_format"];
/** Members that rules read as a list of texts. */
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
/** Members that name records by text, or refer to them as editions do. */
/** Members that name languages. */
export const LANGUAGE_MEMBERS = ["languages", "translated_from"];

/**
 * The record with one source as a list, and identifiers as lists; members that rules read have the types they expect.
 * Throws ImportFailure `type-error` for others. What no rule reads is left to the record store.
 */
export function withCheckedTypes(record: ImportRecord): ImportRecord {
  for (const name of TEXTS) check(name, record, { is: isText, expected: "a text" });
  for (const name of TEXT_LISTS) check(name, record, { is: isTextList, expected: "a list of texts" });
  for (const name of LANGUAGE_MEMBERS) check(name, record, { is: isNameList, expected: "a list of texts" });
  check("publish_date", record, { is: isDate, expected: "a text" });
  check("authors", record, { is: Array.isArray, expected: "a list" });
  const { source_records: given, identifiers } = record;
  const sources = { source_records: typeof given === "string" ? [given] : given };
  check("source_records", sources, { is: isTextList, expected: "a list of texts" });
  if (identifiers === undefined) return { ...record, ...sources };
  return { ...record, ...sources, identifiers: identifierLists(identifiers) };
}

interface Expectation {
  readonly is: (value: Json) => boolean;
  readonly expected: string;
}

function check(name: string, record: ImportRecord, { is, expected }: Expectation): void {
  const value = record[name];
  if (value !== undefined && !is(value)) throw wrongType(name, expected);
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

function isDate(value: Json): boolean {
  return typeof value === "string" || typeof value === "number";
}

function isNameList(value: Json): boolean {
  return Array.isArray(value) && value.every((element) => isText(element) || keyOf(element) !== undefined);
}

function wrongType(name: string, expected: string): ImportFailure {
  return new ImportFailure("type-error", `${name} is not ${expected}`);
}

import { OWN_MEMBERS } from "../../catalog/own-members.ts";
import { type CatalogRecord, type Json, isObject } from "../../catalog/record.ts";
import { isFalsy, without } from "../members.ts";
import type { ImportRecord } from "../record.ts";
import type { LanguageIndex } from "./language-index.ts";
import { languageKeys } from "./languages.ts";
import { presentMembers } from "./present.ts";
import { textObject, wholeNumber } from "./texts.ts";

/** What a record says about how it is imported, and what is stored in another form. */
const NOT_STORED = [...OWN_MEMBERS, "authors", "cover", "openlibrary"];
const TEXTS = ["description", "notes", "first_sentence"];
const LANGUAGES = ["languages", "translated_from"];

/**
 * The members of an edition that a record gives (import.md 15.7 step 1), but for its authors. What no rule knows
 * is taken over as it is. Throws ImportFailure `invalid-language`, `type-error`.
 */
export function editionMembers(record: ImportRecord, languages: LanguageIndex): CatalogRecord {
  const texts = TEXTS.map((name): [string, Json | undefined] => [name, textObject(record[name])]);
  const named = LANGUAGES.map((name): [string, Json] => [name, references(record[name], languages)]);
  return presentMembers({
    ...without(record, ...NOT_STORED),
    ...Object.fromEntries([...texts, ...named]),
    publish_date: publishDate(record),
    number_of_pages: wholeNumber("number_of_pages", record["number_of_pages"]),
    table_of_contents: typedElements(record["table_of_contents"], "/type/toc_item"),
    links: typedElements(record["links"], "/type/link"),
    identifiers: namedLists(record["identifiers"]),
  });
}

/** The date of publication; some catalogs have numbers for years. */
export function publishDate({ publish_date: date }: ImportRecord): Json | undefined {
  return typeof date === "number" ? String(date) : date;
}

function references(values: Json | undefined, languages: LanguageIndex): Json[] {
  return languageKeys(values, languages).map((key) => ({ key }));
}

/** Objects with their type; a bare text is a title. What is no array stays, for the record store to refuse. */
function typedElements(values: Json | undefined, type: string): Json | undefined {
  if (!Array.isArray(values)) return values;
  return values.map((value) => {
    if (typeof value === "string") return { type: { key: type }, title: value };
    return isObject(value) ? Object.assign({}, value, { type: { key: type } }) : value;
  });
}

/** Numbers elsewhere, without the names that have none; undefined when nothing is left. */
function namedLists(identifiers: Json | undefined): Json | undefined {
  if (!isObject(identifiers)) return undefined;
  const present = presentMembers(identifiers);
  return isFalsy(present) ? undefined : present;
}

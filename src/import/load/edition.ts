import { isBlank } from "../../catalog/editing/members.ts";
import { type CatalogRecord, type Json, isObject, keyOf, stringsOf } from "../../catalog/record.ts";
import { OWN_MEMBERS } from "../../catalog/types.ts";
import { type ImportRecord, isFalsy, without } from "../record.ts";
import { COVER_TO_COME, firstCover } from "./decision.ts";
import { type Found, type LanguageIndex, authorsOf, recordOf } from "./found.ts";
import { appended, languageKeys, presentMembers, textObject, wholeNumber } from "./members.ts";
import { LANGUAGE_MEMBERS } from "./normalize-types.ts";

/** Members that control the import, or that are stored in another form. */
const NOT_STORED = [...OWN_MEMBERS, "authors", "cover", "openlibrary"];
const TEXTS = ["description", "notes", "first_sentence"];

/**
 * Returns the members of an edition from a record, except its authors. Members without a rule are copied unchanged.
 * Throws ImportFailure `invalid-language`, `type-error`.
 */
export function editionMembers(record: ImportRecord, languages: LanguageIndex): CatalogRecord {
  const texts = TEXTS.map((name): [string, Json | undefined] => [name, textObject(record[name])]);
  const named = LANGUAGE_MEMBERS.map((name): [string, Json] => [name, references(record[name], languages)]);
  const { identifiers } = record;
  const numbers = isObject(identifiers) ? presentMembers(identifiers) : undefined;
  return presentMembers({
    ...without(record, ...NOT_STORED),
    ...Object.fromEntries([...texts, ...named]),
    publish_date: publishDate(record),
    number_of_pages: wholeNumber("number_of_pages", record["number_of_pages"]),
    table_of_contents: typedElements(record["table_of_contents"], "/type/toc_item"),
    links: typedElements(record["links"], "/type/link"),
    identifiers: isFalsy(numbers) ? undefined : numbers,
  });
}

/** Returns the date of publication as text. Some catalogs use numbers for years. */
function publishDate({ publish_date: date }: ImportRecord): Json | undefined {
  return typeof date === "number" ? String(date) : date;
}

function references(values: Json | undefined, languages: LanguageIndex): Json[] {
  return languageKeys(values, languages).map((key) => ({ key }));
}

/**
 * Returns objects with their type; a bare text becomes a title. Other values than lists are left for the record store
 * to reject.
 */
function typedElements(values: Json | undefined, type: string): Json | undefined {
  if (!Array.isArray(values)) return values;
  return values.map((value) => {
    if (typeof value === "string") return { type: { key: type }, title: value };
    return isObject(value) ? Object.assign({}, value, { type: { key: type } }) : value;
  });
}

/** Lists to which missing values are added. */
const APPENDED = ["local_id", "lccn", "lc_classifications", "oclc_numbers", "source_records"];
/** Members that are set if the edition lacks them, with their values. */
const FILLED: readonly (readonly [name: string, valueIn: (record: ImportRecord) => Json | undefined])[] = [
  ["ocaid", ({ ocaid }) => ocaid],
  ["description", ({ description }) => textObject(description)],
  ["number_of_pages", ({ number_of_pages: pages }) => wholeNumber("number_of_pages", pages) || undefined],
  ["publishers", ({ publishers }) => publishers],
  ["publish_date", publishDate],
];

/** Data that an edition is enriched with. */
export interface Enrichment {
  readonly record: ImportRecord;
  readonly found: Found;
  /** URL of an image on an accepted host. */
  readonly cover: string | undefined;
}

/**
 * Returns the changed members of an edition when a record of the same book is imported. Throws ImportFailure
 * `invalid-language`, `type-error`.
 */
export function enrichedMembers(edition: CatalogRecord, { record, found, cover }: Enrichment): CatalogRecord {
  const changes: [string, Json | undefined][] = [
    ["authors", withoutRedirects(edition["authors"], found)],
    [
      "covers",
      cover !== undefined && firstCover(edition["covers"]) === undefined ? [COVER_TO_COME] : undefined,
    ],
    ...APPENDED.map((name): [string, Json | undefined] => [name, appended(edition[name], record[name])]),
    ["languages", withLanguages(edition["languages"], languageKeys(record["languages"], found.languages))],
    ...FILLED.map(([name, valueIn]): [string, Json | undefined] => [
      name,
      isBlank(edition[name]) ? valueIn(record) : undefined,
    ]),
    ["identifiers", withIdentifiers(edition["identifiers"], record["identifiers"])],
  ];
  return Object.fromEntries(changes.filter(([, value]) => !isBlank(value)));
}

/**
 * Returns the author references with redirects resolved. Deleted authors are removed too, because a changed record must
 * not refer to them. Returns undefined if there are no redirects.
 */
function withoutRedirects(authors: Json | undefined, found: Found): Json[] | undefined {
  if (!Array.isArray(authors)) return undefined;
  const isReplaced = authors.some((author) => {
    const target = recordOf(found, keyOf(author), "/type/author");
    return target !== undefined && target.key !== keyOf(author);
  });
  return isReplaced ? authorsOf(found, authors).map(({ key }) => ({ key })) : undefined;
}

function withLanguages(languages: Json | undefined, keys: readonly string[]): Json[] | undefined {
  const stored = Array.isArray(languages) ? languages : [];
  const known = new Set(stored.map((language) => keyOf(language)));
  const added = keys.filter((key) => !known.has(key)).map((key) => ({ key }));
  return added.length === 0 ? undefined : [...stored, ...added];
}

/** Merges the external identifiers, those of the edition first. Returns undefined if there are no new ones. */
function withIdentifiers(stored: Json | undefined, values: Json | undefined): Json | undefined {
  if (!isObject(values)) return undefined;
  const all = isObject(stored) ? stored : {};
  const added = Object.entries(values).flatMap(([name, value]): [string, Json][] => {
    const before = Object.hasOwn(all, name) ? all[name] : undefined;
    const list = appended(before, stringsOf(value), (text) => text);
    return list === undefined ? [] : [[name, list]];
  });
  return added.length === 0 ? undefined : { ...all, ...Object.fromEntries(added) };
}

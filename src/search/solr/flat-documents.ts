import { type EbookAccess, EBOOK_ACCESS_LEVELS } from "../../catalog/ebook-access.ts";
import { type CatalogRecord, type Json, isObject, stringsOf } from "../../catalog/record.ts";
import { listTypesOf } from "../documents/named-documents.ts";
import { joinTitle, sortingTitleOf, UNTITLED } from "../documents/titles.ts";
import {
  type AuthorDocument,
  type EditionDocument,
  type ListDocument,
  type WorkCounts,
  type WorkDocument,
  toWorkCounts,
} from "../documents/types.ts";
import { findFieldsWith } from "../fields.ts";
import { TextError } from "../../catalog/texts.ts";
import type { SolrErrorKey } from "./parameters.ts";

const BOOK_TEXTS = findFieldsWith({ of: "both", holds: "text" });
const BOOK_LISTS = findFieldsWith({ of: "both", holds: "texts" });
const BOOK_NUMBERS = findFieldsWith({ of: "both", holds: "number" });
const BOOK_NUMBER_LISTS = findFieldsWith({ of: "both", holds: "numbers" });
const WORK_TEXTS = findFieldsWith({ of: "work", holds: "text" });
const WORK_LISTS = findFieldsWith({ of: "work", holds: "texts" });
const WORK_NUMBERS = findFieldsWith({ of: "work", holds: "number" });
const WORK_NUMBER_LISTS = findFieldsWith({ of: "work", holds: "numbers" });
const EDITION_LISTS = findFieldsWith({ of: "edition", holds: "texts" });
const IDENTIFIER = /^id_[-\w]+$/;

/** Pattern of members that are derived from others, or stored beside the document, and ignored here. */
const DERIVED =
  /^(?:_version_|_root_|type|key|text|seed|redirects|title_suggest|title_sort|first_edition|first_publisher|\w+_facet|(?:subject|person|place|time)_key|ratings_\w+|\w+_count|trending_\w+|\w+_score|\w+_normalized|editions|_childDocuments_)$/;
const BOOK_MEMBERS = findFieldsWith({ of: "both" });
const WORK_MEMBERS: ReadonlySet<string> = new Set([...BOOK_MEMBERS, ...findFieldsWith({ of: "work" })]);
const EDITION_MEMBERS: ReadonlySet<string> = new Set([...BOOK_MEMBERS, ...findFieldsWith({ of: "edition" })]);

/** Converts a document in the form of search results with its editions. Throws UnusableDocument. */
function parseFlatWork(flat: CatalogRecord): WorkDocument {
  refuseUnknown(flat, WORK_MEMBERS);
  const editions = [flat["editions"], flat["_childDocuments_"]].flatMap((value) =>
    Array.isArray(value) ? value.filter(isObject) : [],
  );
  const [title = UNTITLED] = stringsOf(flat["title"]);
  const [subtitle] = stringsOf(flat["subtitle"]);
  return {
    ...bookMembersOf(flat),
    alternative_title: [joinTitle(title, subtitle)],
    ...listMembersOf(flat, ["alternative_title", ...WORK_LISTS]),
    ...textMembersOf(flat, WORK_TEXTS),
    ...wholeMembersOf(flat, WORK_NUMBERS),
    ...wholeListMembersOf(flat, WORK_NUMBER_LISTS),
    type: "work",
    title,
    title_sort: sortingTitleOf(title, subtitle),
    edition_count: countOrZero(flat, "edition_count"),
    ebook_count_i: countOrZero(flat, "ebook_count_i"),
    last_modified_i: countOrZero(flat, "last_modified_i"),
    counts: countsOf(flat),
    editions: editions.map(parseFlatEdition),
  };
}

function parseFlatEdition(flat: CatalogRecord): EditionDocument {
  refuseUnknown(flat, EDITION_MEMBERS);
  return {
    ...bookMembersOf(flat),
    work_key: [],
    ...listMembersOf(flat, ["work_key", ...EDITION_LISTS]),
    type: "edition",
    scores: {
      access: numberOrZero(flat, "access_score"),
      discovery: numberOrZero(flat, "discovery_score"),
      evaluation: numberOrZero(flat, "evaluation_score"),
    },
  };
}

function bookMembersOf(flat: CatalogRecord) {
  const identifiers = Object.keys(flat).filter((name) => IDENTIFIER.test(name));
  return {
    key: stringsOf(flat["key"])[0] ?? "",
    ...textMembersOf(flat, BOOK_TEXTS),
    ...listMembersOf(flat, BOOK_LISTS),
    ...wholeMembersOf(flat, BOOK_NUMBERS),
    ...wholeListMembersOf(flat, BOOK_NUMBER_LISTS),
    ebook_access: accessOf(flat),
    has_fulltext: booleanOf(flat, "has_fulltext"),
    public_scan_b: booleanOf(flat, "public_scan_b"),
    identifiers: listMembersOf(flat, identifiers),
  };
}

function accessOf({ ebook_access: access = "no_ebook" }: CatalogRecord): EbookAccess {
  const level = EBOOK_ACCESS_LEVELS.find((name) => name === access);
  if (level === undefined)
    throw new UnusableDocument("bad_request.solr_value", {
      name: "ebook_access",
      value: JSON.stringify(access),
    });
  return level;
}

function countsOf(flat: CatalogRecord): WorkCounts {
  return toWorkCounts(
    (stars) => countOrZero(flat, `ratings_count_${stars}`),
    ({ count }) => countOrZero(flat, `${count}_count`),
  );
}

function refuseUnknown(flat: CatalogRecord, names: ReadonlySet<string>): void {
  const unknown = Object.keys(flat).find(
    (name) => !names.has(name) && !DERIVED.test(name) && !IDENTIFIER.test(name),
  );
  if (unknown !== undefined) throw new UnusableDocument("bad_request.solr_unknown_field", { field: unknown });
}

export type FlatUpdate =
  | { readonly kind: "work"; readonly document: WorkDocument }
  | { readonly kind: "author"; readonly document: AuthorDocument }
  | { readonly kind: "list"; readonly document: ListDocument }
  /** New values of single fields: `{"key": k, "field": {"set": v}}`. */
  | { readonly kind: "patch"; readonly key: string; readonly values: Readonly<Record<string, number>> };

const KEYS = /^\/(?:(works)|(authors)|(?:people\/[^/]+\/)?lists|series)\/[A-Z]{2}\d{1,15}[AWLM]$/;

/** Reads another program's document. Throws UnusableDocument, also for subjects and bare editions. */
export function parseFlatUpdate(flat: CatalogRecord): FlatUpdate {
  const [key = ""] = stringsOf(flat["key"]);
  const match = KEYS.exec(key);
  if (match === null)
    throw key === ""
      ? new UnusableDocument("bad_request.solr_missing", { name: "key" })
      : new UnusableDocument("bad_request.solr_key", { key });
  if (Object.values(flat).some(isObject)) return { kind: "patch", key, values: newValuesOf(flat) };
  if (match[1] !== undefined) return { kind: "work", document: parseFlatWork(flat) };
  return match[2] === undefined
    ? { kind: "list", document: parseFlatList(flat, key) }
    : { kind: "author", document: parseFlatAuthor(flat, key) };
}

function newValuesOf({ key: _key, ...members }: CatalogRecord): Record<string, number> {
  const entries = Object.entries(members).map(([name, change]): [string, number] => {
    const value = isObject(change) && Object.keys(change).length === 1 ? change["set"] : undefined;
    if (typeof value !== "number") throw new UnusableDocument("bad_request.solr_field_number", { name });
    return [name, value];
  });
  return Object.fromEntries(entries);
}

/** Returns an author; sums over the author's works are ignored, since they are made here. */
function parseFlatAuthor(flat: CatalogRecord, key: string): AuthorDocument {
  return {
    key,
    name: "",
    ...textMembersOf(flat, ["name", "birth_date", "death_date", "date"]),
    ...listMembersOf(flat, ["alternate_names"]),
    type: "author",
  };
}

function parseFlatList(flat: CatalogRecord, key: string): ListDocument {
  const { seed = [] } = listMembersOf(flat, ["seed"]);
  return {
    key,
    name: "",
    last_modified: "",
    ...textMembersOf(flat, ["name", "last_modified"]),
    ...listTypesOf(key),
    seed,
    seed_count: Math.max(seed.length, countOrZero(flat, "seed_count")),
  };
}

/** Maximum whole number of a document, and of its negation: such engines store them in 32 bits. */
const WHOLE_NUMBER_MAX = 2 ** 31 - 1;

export class UnusableDocument extends TextError<SolrErrorKey> {}

/** Returns text members; a list of one text counts as the text. Throws UnusableDocument. */
function textMembersOf(flat: CatalogRecord, names: readonly string[]): Record<string, string> {
  return readMembers(flat, names, (value, name) => {
    const [text, ...more] = stringsOf(value);
    if (text === undefined || more.length > 0)
      throw new UnusableDocument("bad_request.solr_field_string", { name });
    return text;
  });
}

/** Returns lists of texts; one text counts as a list, empty ones are dropped. Throws UnusableDocument. */
function listMembersOf(flat: CatalogRecord, names: readonly string[]): Record<string, string[]> {
  const lists = readMembers(flat, names, (value, name) => {
    const texts = stringsOf(value);
    if (texts.length !== (Array.isArray(value) ? value.length : 1)) {
      throw new UnusableDocument("bad_request.solr_field_strings", { name });
    }
    return texts;
  });
  return Object.fromEntries(Object.entries(lists).filter(([, texts]) => texts.length > 0));
}

/** Returns members that are whole numbers. Throws UnusableDocument for other values. */
function wholeMembersOf(flat: CatalogRecord, names: readonly string[]): Record<string, number> {
  return readMembers(flat, names, wholeOf);
}

/** Returns members that are lists of whole numbers. Throws UnusableDocument for other values. */
function wholeListMembersOf(flat: CatalogRecord, names: readonly string[]): Record<string, number[]> {
  return readMembers(flat, names, (value, name) =>
    (Array.isArray(value) ? value : [value]).map((element) => wholeOf(element, name)),
  );
}

/** Returns the count of a member, 0 if it is absent. Throws UnusableDocument for other values. */
function countOrZero(flat: CatalogRecord, name: string): number {
  const value = flat[name];
  return value === undefined ? 0 : toCount(value, name);
}

/** Returns the number of a member, 0 if it is absent. Throws UnusableDocument for other values. */
function numberOrZero(flat: CatalogRecord, name: string): number {
  const value = flat[name];
  return value === undefined ? 0 : numberOf(value, name);
}

/** Returns the boolean of a member, false if it is absent. Throws UnusableDocument for other values. */
function booleanOf(flat: CatalogRecord, name: string): boolean {
  const value = flat[name];
  if (value === undefined || typeof value === "boolean") return value ?? false;
  if (value === "true" || value === "false") return value === "true";
  throw new UnusableDocument("bad_request.solr_field_boolean", { name });
}

function readMembers<Value>(
  flat: CatalogRecord,
  names: readonly string[],
  read: (value: Json, name: string) => Value,
): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const name of names) {
    const value = flat[name];
    if (value !== undefined && value !== null) values[name] = read(value, name);
  }
  return values;
}

/** Returns a value as a count. Throws UnusableDocument for other values; negative ones have no popularity. */
export function toCount(value: Json, name: string): number {
  const number = wholeOf(value, name);
  if (number >= 0) return number;
  throw new UnusableDocument("bad_request.solr_field_negative", { name });
}

/** Returns a value as a whole number. Throws UnusableDocument for other values: the index has no columns for them. */
export function wholeOf(value: Json, name: string): number {
  const number = numberOf(value, name);
  if (Number.isInteger(number) && Math.abs(number) <= WHOLE_NUMBER_MAX) return number;
  throw new UnusableDocument("bad_request.solr_field_integer", { name });
}

function numberOf(value: Json, name: string): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw new UnusableDocument("bad_request.solr_field_number", { name });
}

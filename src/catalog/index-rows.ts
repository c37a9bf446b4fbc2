import { ebookAccessOf } from "./ebook-access.ts";
import { authorNumbersOf } from "./identifiers/author-numbers.ts";
import { type Identifier, editionIdentifiersOf } from "./identifiers/edition-identifiers.ts";
import { rewriteLegacyKey } from "./keys.ts";
import { isSubjectSeed } from "./lists/seeds.ts";
import {
  authorNameRowsOf,
  authorYearsKeysOf,
  longTitleOf,
  normalizeTitle,
  workTitleKeyOf,
} from "./matching/match-keys.ts";
import {
  type CatalogRecord,
  type Json,
  authorKeysIn,
  isGone,
  isObject,
  keyOf,
  stringsOf,
  typeKeyOf,
} from "./record.ts";
import { idOfKey } from "./key-numbers.ts";
import { tagNameValueOf, tagSlugValueOf } from "./tags.ts";

/** Row of `property`: a dotted path without array indexes, and a searchable value. */
interface PropertyRow {
  readonly name: string;
  readonly value: string;
}

interface LanguageRow {
  readonly language: string;
  readonly workId: number;
  readonly open: boolean;
  readonly ocaid: string | undefined;
}

export interface IndexRows {
  readonly properties: readonly PropertyRow[];
  readonly identifiers: readonly Identifier[];
  readonly languages: readonly LanguageRow[];
}

/** Maximum length of an indexed value, in UTF-16 units. */
export const INDEXED_VALUE_LENGTH = 2048;
const REFERENCE_DEPTH = 6;

/** Members whose references are useless, such as one value for a large share of all records. */
export const UNINDEXED_MEMBERS: ReadonlySet<string> = new Set([
  "type",
  "languages",
  "translated_from",
  "original_languages",
  "created",
  "last_modified",
]);
/** Names of rows with texts, which are never keys of referenced records. */
export const TEXT_ROWS: ReadonlySet<string> = new Set([
  "title",
  "name",
  "identifiers",
  "remote_ids",
  "alternate_names",
  "name_years",
  "author_title",
  "long_title",
  "tag_slug",
  "tag_name",
]);
const NOTHING: IndexRows = { properties: [], identifiers: [], languages: [] };

/** Returns the index rows of a document; none for deleted and redirected ones. Pure function of the document. */
export function indexRowsOf(record: CatalogRecord, prefix: string): IndexRows {
  const type = typeKeyOf(record);
  if (type === undefined || isGone(type)) return NOTHING;
  const isEdition = type === "/type/edition";
  return {
    properties: propertyRowsOf(record, type),
    identifiers: isEdition ? editionIdentifiersOf(record) : [],
    languages: isEdition ? languageRowsOf(record, prefix) : [],
  };
}

/** Number of rows up to which duplicates are searched linearly: cheaper than a set, and nearly always enough. */
const SCANNED_ROWS = 32;

interface Rows {
  readonly list: PropertyRow[];
  seen: Set<string> | undefined;
}

function propertyRowsOf(record: CatalogRecord, type: string): readonly PropertyRow[] {
  const rows: Rows = { list: [], seen: undefined };
  addNormalized("title", record["title"], rows);
  addNormalized("name", record["name"], rows);
  if (type !== "/type/edition") {
    // Identifiers of editions are in the identifier index.
    addSources("identifiers", record["identifiers"], rows);
    addSources("remote_ids", record["remote_ids"], rows);
    // The normal forms of numbers that were stored in another spelling.
    for (const { scheme, value } of authorNumbersOf(record["remote_ids"]))
      addRow(`remote_ids.${scheme}`, value, rows);
  }
  for (const name in record) {
    const value = record[name];
    if (typeof value !== "object" || value === null || UNINDEXED_MEMBERS.has(name)) continue;
    addReferences(name, value, { depth: 0, rows });
  }
  // Lists refer to subjects by bare texts. These rows find the lists that contain a subject.
  const subjects = type === "/type/list" ? stringsOf(record["seeds"]).filter(isSubjectSeed) : [];
  for (const seed of subjects) addRow("seeds", seed, rows);
  if (type === "/type/author") addAuthorNames(record, rows);
  if (type === "/type/work") addTitleByAuthor(record, rows);
  if (type === "/type/edition") addLongTitle(record, rows);
  if (type === "/type/tag") addTagNames(record, rows);
  return rows.list;
}

function addAuthorNames(author: CatalogRecord, rows: Rows): void {
  for (const name of authorNameRowsOf(author)) addRow("alternate_names", name, rows);
  for (const years of authorYearsKeysOf(author)) addRow("name_years", years, rows);
}

function addTitleByAuthor({ title, authors }: CatalogRecord, rows: Rows): void {
  if (typeof title !== "string") return;
  const key = workTitleKeyOf(title);
  for (const author of authorKeysIn(authors)) addRow("author_title", authorTitleValueOf(author, key), rows);
}

/** Adds a row with the complete title for imports: many titles, such as those of reports, start alike. */
function addLongTitle({ title }: CatalogRecord, rows: Rows): void {
  const wholeTitle = typeof title === "string" ? longTitleOf(title) : undefined;
  if (wholeTitle !== undefined) addRow("long_title", wholeTitle, rows);
}

function addTagNames({ tag_type: type, slugs, name }: CatalogRecord, rows: Rows): void {
  if (typeof type !== "string") return;
  for (const slug of stringsOf(slugs)) addRow("tag_slug", tagSlugValueOf(type, slug), rows);
  if (typeof name === "string") addRow("tag_name", tagNameValueOf(type, name), rows);
}

/** Returns the value of the row `author_title` of a work: the author's key and the title key (`workTitleKeyOf`). */
export function authorTitleValueOf(author: string, titleKey: string): string {
  return `${rewriteLegacyKey(author)} ${titleKey}`;
}

function addRow(name: string, value: string, rows: Rows): void {
  if (value === "" || value.length > INDEXED_VALUE_LENGTH || isKnown(name, value, rows)) return;
  rows.list.push({ name, value });
  rows.seen?.add(rowNameOf(name, value));
}

function isKnown(name: string, value: string, rows: Rows): boolean {
  if (rows.list.length < SCANNED_ROWS) {
    return rows.list.some((row) => row.name === name && row.value === value);
  }
  rows.seen ??= new Set(rows.list.map((row) => rowNameOf(row.name, row.value)));
  return rows.seen.has(rowNameOf(name, value));
}

function rowNameOf(name: string, value: string): string {
  return `${name}\n${value}`;
}

function addNormalized(name: string, value: Json | undefined, rows: Rows): void {
  if (typeof value === "string") addRow(name, normalizeTitle(value), rows);
}

function addSources(member: string, sources: Json | undefined, rows: Rows): void {
  if (!isObject(sources)) return;
  for (const source in sources) {
    for (const value of stringsOf(sources[source])) addRow(`${member}.${source}`, value.trim(), rows);
  }
}

function addReferences(
  path: string,
  value: Json[] | CatalogRecord,
  walk: { depth: number; rows: Rows },
): void {
  if (walk.depth > REFERENCE_DEPTH) return;
  const below = { depth: walk.depth + 1, rows: walk.rows };
  if (Array.isArray(value)) {
    for (const element of value) {
      if (typeof element === "object" && element !== null) addReferences(path, element, below);
    }
    return;
  }
  const { key } = value;
  // Old documents refer to authors by `/a/OL1A`; readers see the current key.
  if (typeof key === "string") addRow(path, rewriteLegacyKey(key), walk.rows);
  for (const name in value) {
    const member = value[name];
    if (typeof member !== "object" || member === null || UNINDEXED_MEMBERS.has(name)) continue;
    addReferences(`${path}.${name}`, member, below);
  }
}

function languageRowsOf(edition: CatalogRecord, prefix: string): LanguageRow[] {
  const languages = edition["languages"];
  if (!Array.isArray(languages)) return [];
  const works = edition["works"];
  const workKey = Array.isArray(works) ? keyOf(works[0]) : undefined;
  const workId = workKey === undefined ? 0 : (idOfKey(workKey, prefix) ?? 0);
  const access = ebookAccessOf({ edition, item: undefined, workSubjects: [] });
  const open = access === "public" || access === "borrowable";
  // Unclassified access means that nothing is known about the scan yet.
  const ocaid =
    access === "unclassified" && typeof edition["ocaid"] === "string" ? edition["ocaid"] : undefined;
  const codes = new Set(languages.map((language) => keyOf(language)?.split("/").pop() ?? ""));
  codes.delete("");
  return [...codes].map((language) => ({ language, workId, open, ocaid }));
}

import { isSameValue } from "../../catalog/editing/members.ts";
import { type Json, isObject, keyOf, stringsOf, textOf } from "../../catalog/record.ts";
import { ImportFailure } from "../failure.ts";
import { type ImportRecord, canonicalJson, isFalsy, isTextList } from "../record.ts";
import { type ImportWarning, type WarningCode, addWarning } from "../warning.ts";
import { decodeHTML } from "entities/decode";
import {
  normalizeLccn,
  normalizeNumbers,
  normalizeOclc,
} from "../../catalog/identifiers/edition-identifiers.ts";
import { toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";

const TEXT_MEMBERS = ["subtitle", "ocaid", "cover", "openlibrary", "publish_country", "physical_format"];
const TEXT_LIST_MEMBERS = [
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

/** Reports a value that is dropped; `place` follows the name of the member. */
type Drop = (place: string, value: Json) => void;
/** Returns a value in the type of its member. Returns undefined if it cannot be converted. */
type Conversion = (value: Json, drop: Drop) => Json | undefined;

const CONVERSIONS: readonly (readonly [names: readonly string[], convert: Conversion])[] = [
  [TEXT_MEMBERS, toText],
  [TEXT_LIST_MEMBERS, toTextList],
  [
    LANGUAGE_MEMBERS,
    (value, drop) => toList(value, (element) => (keyOf(element) ? element : toText(element)), drop),
  ],
  [["publish_date"], (value) => (typeof value === "number" ? value : toText(value))],
  [["number_of_pages"], toWholeNumber],
  [["authors"], (value) => (isObject(value) ? [value] : Array.isArray(value) ? value : undefined)],
  [["identifiers"], toIdentifierLists],
];

/** Members that programs write in several types, all of which are right. */
const FREE_FORM: ReadonlySet<string> = new Set(["identifiers", "number_of_pages"]);

/**
 * Returns the record with members in their types: others are converted if nothing is lost, or else dropped, with a
 * warning. Throws ImportFailure `type-error` for title and sources. Other members are left to the record store.
 */
export function toTypedRecord(record: ImportRecord, warnings: ImportWarning[]): ImportRecord {
  const { title, source_records: sources } = record;
  if (title !== undefined && typeof title !== "string")
    throw new ImportFailure("type-error", { key: "not_imported.not_text", values: { name: "title" } });
  const sourceList = typeof sources === "string" ? [sources] : sources;
  if (sourceList !== undefined && !isTextList(sourceList)) {
    throw new ImportFailure("type-error", {
      key: "not_imported.not_texts",
      values: { name: "source_records" },
    });
  }
  const typed: Record<string, Json | undefined> = { ...record, source_records: sourceList };
  for (const [names, convert] of CONVERSIONS) {
    for (const name of names) {
      const value = typed[name];
      if (value === undefined) continue;
      const converted = convertMember([name, value], convert, warnings);
      if (converted === undefined) delete typed[name];
      else typed[name] = converted;
    }
  }
  return typed;
}

/** Converts a member. Adds a warning about what is dropped, or else if the value changes its type. */
function convertMember(
  [name, value]: [string, Json],
  convert: Conversion,
  warnings: ImportWarning[],
): Json | undefined {
  let hasDropped = false;
  const converted = convert(value, (place, dropped) => {
    hasDropped = true;
    addWarning(warnings, "wrong-type", [`${name}.${place}`, dropped]);
  });
  if (converted === undefined) addWarning(warnings, "wrong-type", [name, value]);
  else if (!hasDropped && !FREE_FORM.has(name) && !isSameValue(converted, value)) {
    addWarning(warnings, "converted-type", [name, value]);
  }
  return converted;
}

function toText(value: Json): string | undefined {
  if (Array.isArray(value)) return value.length === 1 ? toText(value[0] ?? null) : undefined;
  return typeof value === "number" ? String(value) : textOf(value);
}

function toTextList(value: Json, drop: Drop): Json[] {
  return toList(value, toText, drop);
}

function toList(value: Json, convert: (element: Json) => Json | undefined, drop: Drop): Json[] {
  return (Array.isArray(value) ? value : [value]).flatMap((element, index) => {
    const converted = convert(element);
    if (converted === undefined) drop(String(index), element);
    return converted === undefined ? [] : [converted];
  });
}

/** Returns a whole number, of a number, a text or an object that holds one. */
function toWholeNumber(value: Json): Json | undefined {
  const inner = isObject(value) ? (value["value"] ?? null) : value;
  const number = typeof inner === "string" && /^\s*\d{1,9}\s*$/.test(inner) ? Number(inner) : inner;
  return Number.isSafeInteger(number) || inner === "" ? number : undefined;
}

// One identifier may be a text.
function toIdentifierLists(identifiers: Json, drop: Drop): ImportRecord | undefined {
  if (!isObject(identifiers)) return undefined;
  return Object.fromEntries(
    Object.entries(identifiers).flatMap(([name, value = null]): [string, Json][] => {
      if (value === null) return [];
      return [[name, toTextList(value, (place, dropped) => drop(`${name}.${place}`, dropped))]];
    }),
  );
}

/** Moves the subtitle in the title of a record to `subtitle`, unless the record has one. */
export function extractSubtitle(record: ImportRecord): ImportRecord {
  const { title } = record;
  if (typeof title !== "string" || !title.includes(":") || !isFalsy(record["subtitle"])) return record;
  const [main, subtitle] = splitSubtitle(title);
  // Q322: a title that would become empty is not split either.
  if (subtitle === undefined || subtitle === "" || main === "") return record;
  return { ...record, title: main, subtitle };
}

/** Splits a title at the last colon into title and subtitle, without texts in parentheses. */
export function splitSubtitle(fullTitle: string): [title: string, subtitle: string | undefined] {
  const parts = withoutParentheses(fullTitle)
    .split(":")
    .map((part) => part.trim());
  const subtitle = parts.length > 1 ? parts.pop() : undefined;
  return [parts.join(" : "), subtitle];
}

/** Removes parentheses, one nested level included. A regular expression would take quadratic time. */
function withoutParentheses(text: string): string {
  const closing = Array.from(text.matchAll(/\)/g), ({ index }) => index);
  const pieces: string[] = [];
  let from = 0;
  let next = 0;
  let open = text.indexOf("(");
  while (open !== -1) {
    while (next < closing.length && (closing[next] ?? 0) < open) next += 1;
    const inner = text.indexOf("(", open + 1);
    const first = closing[next];
    if (first === undefined) break;
    const end = inner === -1 || first < inner ? first : closing[next + 1];
    if (end === undefined) open = inner;
    else {
      pieces.push(text.slice(from, open));
      from = end + 1;
      open = text.indexOf("(", from);
    }
  }
  return pieces.join("") + text.slice(from);
}

const HTML_TEXTS = [
  "title",
  "subtitle",
  "full_title",
  "by_statement",
  "edition_name",
  "description",
  "pagination",
  "first_sentence",
  "notes",
  "copyright_date",
];
const AUTHOR_HTML_TEXTS = ["name", "personal_name", "bio", "title", "death_date"];
/** Numeric references. Q327: only texts with one were made for web pages. */
const NUMERIC = /&#(?:[0-9]{1,6}|x[0-9a-fA-F]{1,6});/;

/** Decodes HTML character references in the texts of a record and its authors. */
export function decodeEntities(record: ImportRecord): ImportRecord {
  const decoded = decodeMembers(record, HTML_TEXTS);
  const { authors } = decoded;
  if (!Array.isArray(authors)) return decoded;
  return {
    ...decoded,
    authors: authors.map((author) => (isObject(author) ? decodeMembers(author, AUTHOR_HTML_TEXTS) : author)),
  };
}

/** Decodes all references of a text if one of them is numeric. */
export function decodeText(text: string): string {
  return NUMERIC.test(text) ? decodeHTML(text) : text;
}

function decodeMembers(record: ImportRecord, names: readonly string[]): ImportRecord {
  const decoded = names.flatMap((name): [string, Json][] => {
    const value = record[name];
    if (typeof value === "string") return [[name, decodeText(value)]];
    if (!isObject(value) || typeof value["value"] !== "string") return [];
    return [[name, { ...value, value: decodeText(value["value"]) }]];
  });
  return decoded.length === 0 ? record : { ...record, ...Object.fromEntries(decoded) };
}

const NORMALIZERS: readonly (readonly [
  name: string,
  normal: (text: string) => string | undefined,
  code: WarningCode,
])[] = [
  ["isbn_13", toCanonicalIsbn, "invalid-isbn"],
  ["isbn_10", toCanonicalIsbn, "invalid-isbn"],
  ["isbn", toCanonicalIsbn, "invalid-isbn"],
  ["lccn", normalizeLccn, "invalid-lccn"],
  ["oclc_numbers", normalizeOclc, "invalid-oclc-number"],
];

/** Normalises the numbers of a record; each counts once. Invalid values are dropped with a warning, empty lists without. */
export function normalizeIdentifiers(record: ImportRecord, warnings: ImportWarning[]): ImportRecord {
  const members: Record<string, Json | undefined> = { ...record };
  for (const [name, normal, code] of NORMALIZERS) {
    const list = stringsOf(record[name]).flatMap((text) => {
      const value = normal(text);
      if (value === undefined && text.trim() !== "") addWarning(warnings, code, [name, text]);
      return value ?? [];
    });
    if (list.length > 0) members[name] = [...new Set(list)];
    else delete members[name];
  }
  if (isObject(record["identifiers"])) {
    const sources = Object.entries(record["identifiers"]);
    const lists = sources.map(([source, values]) => [source, normalizeNumbers(source, values)]);
    members["identifiers"] = Object.fromEntries(lists);
  }
  return members;
}

export const IMPORT_AUTHORS_MAX = 250;
const AUTHOR_TEXTS: ReadonlySet<string> = new Set([
  "name",
  "personal_name",
  "entity_type",
  "birth_date",
  "death_date",
  "date",
  "title",
  "numeration",
  "role",
  "key",
]);

/**
 * Returns the record with its distinct authors, each an object with a name. Q323: an author is not rejected for its
 * members: those of an unreadable type are dropped. Adds dropped members, and authors beyond the limit, to `warnings`.
 */
export function normalizeAuthors(record: ImportRecord, warnings: ImportWarning[]): ImportRecord {
  const authors = Array.isArray(record["authors"]) ? record["authors"] : [];
  const distinct = new Map<string, ImportRecord>();
  for (const [index, element] of authors.entries()) {
    const author = normalizeAuthor(element, `authors.${index}`, warnings);
    if (author === undefined) continue;
    const identity = canonicalJson(author);
    if (distinct.has(identity)) continue;
    if (distinct.size < IMPORT_AUTHORS_MAX) distinct.set(identity, author);
    else addWarning(warnings, "too-long", ["authors", element]);
  }
  return { ...record, authors: [...distinct.values()] };
}

function normalizeAuthor(author: Json, place: string, warnings: ImportWarning[]): ImportRecord | undefined {
  if (!isObject(author) || typeof author["name"] !== "string" || author["name"].trim() === "") {
    addWarning(warnings, "invalid-author", [place, author]);
    return undefined;
  }
  const members = Object.entries(author).flatMap(([name, value = null]): [string, Json][] => {
    if (value === null) return [];
    const convert = AUTHOR_TEXTS.has(name) ? toWord : AUTHOR_CONVERSIONS.get(name);
    // Other members are not stored (`AUTHOR_MEMBERS`).
    if (convert === undefined) addWarning(warnings, "invalid-value", [`${place}.${name}`, value]);
    const readable =
      convert === undefined ? value : convertMember([`${place}.${name}`, value], convert, warnings);
    return readable === undefined ? [] : [[name, readable]];
  });
  return splitHeading(Object.fromEntries(members));
}

const LIFE_DATES = ["birth_date", "death_date", "date"];

/** Moves the years in the name of an author, as in `Austen, Jane, 1775-1817.`, to the dates, unless there are any. */
function splitHeading(author: ImportRecord): ImportRecord {
  const { name, entity_type: type } = author;
  const isPerson = type === undefined || type === "person";
  if (typeof name !== "string" || !isPerson || LIFE_DATES.some((member) => author[member])) return author;
  const { name: undated, birthDate, deathDate } = parseAuthorHeading(name);
  if (birthDate === undefined && deathDate === undefined) return author;
  return {
    ...author,
    name: undated,
    ...(author["personal_name"] === name && { personal_name: undated }),
    ...(birthDate !== undefined && { birth_date: birthDate }),
    ...(deathDate !== undefined && { death_date: deathDate }),
  };
}

const AUTHOR_CONVERSIONS: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ["alternate_names", (value, drop) => (Array.isArray(value) ? toList(value, textOf, drop) : undefined)],
  ["remote_ids", toRemoteIds],
]);

/** Years are often numbers. */
function toWord(value: Json): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function toRemoteIds(ids: Json, drop: Drop): ImportRecord | undefined {
  if (!isObject(ids)) return undefined;
  return Object.fromEntries(
    Object.entries(ids).flatMap(([source, value = null]): [string, Json][] => {
      const id = value === null ? undefined : toText(value);
      if (id === undefined && value !== null) drop(source, value);
      return id === undefined ? [] : [[source, id]];
    }),
  );
}

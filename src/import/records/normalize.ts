import { type Json, isObject, keyOf, stringsOf } from "../../catalog/record.ts";
import { ImportFailure } from "../failure.ts";
import { type ImportRecord, canonicalJson, isFalsy, isTextList } from "../record.ts";
import { decodeHTML } from "entities/decode";
import { normalizeLccn } from "../../catalog/identifiers/edition-identifiers.ts";
import { toCanonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { parseAuthorHeading } from "../../catalog/matching/author-heading.ts";

const TEXT_MEMBERS = [
  "title",
  "subtitle",
  "ocaid",
  "cover",
  "openlibrary",
  "publish_country",
  "physical_format",
];
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
// The first violation is reported.
const TYPES: readonly (readonly [
  names: readonly string[],
  is: (value: Json) => boolean,
  expected: string,
])[] = [
  [TEXT_MEMBERS, isText, "a text"],
  [TEXT_LIST_MEMBERS, isTextList, "a list of texts"],
  [LANGUAGE_MEMBERS, (list) => Array.isArray(list) && list.every(isNamed), "a list of texts"],
  [["publish_date"], (value) => isText(value) || typeof value === "number", "a text"],
  [["authors"], Array.isArray, "a list"],
  [["source_records"], isTextList, "a list of texts"],
];

/**
 * Returns the record with its sources and identifiers as lists, after checking the types of members with rules. Throws
 * ImportFailure `type-error` for wrong types. Other members are left to the record store.
 */
export function checkTypes(record: ImportRecord): ImportRecord {
  const { source_records: sources, identifiers } = record;
  const typed: ImportRecord = {
    ...record,
    source_records: typeof sources === "string" ? [sources] : sources,
  };
  for (const [names, hasType, expected] of TYPES) {
    for (const name of names) {
      const value = typed[name];
      if (value !== undefined && !hasType(value)) throw typeError(name, expected);
    }
  }
  return identifiers === undefined ? typed : { ...typed, identifiers: toIdentifierLists(identifiers) };
}

function toIdentifierLists(identifiers: Json): ImportRecord {
  if (!isObject(identifiers)) throw typeError("identifiers", "an object of lists of texts");
  return Object.fromEntries(
    Object.entries(identifiers).flatMap(([name, value = null]): [string, Json][] => {
      if (value === null) return [];
      const list = typeof value === "string" ? [value] : value;
      if (!isTextList(list)) throw typeError(`identifiers.${name}`, "a list of texts");
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

function typeError(name: string, expected: string): ImportFailure {
  return new ImportFailure("type-error", `${name} is not ${expected}`);
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

const NORMALIZERS: readonly (readonly [name: string, normal: (text: string) => string | undefined])[] = [
  ["isbn_13", toCanonicalIsbn],
  ["isbn_10", toCanonicalIsbn],
  ["isbn", toCanonicalIsbn],
  ["lccn", normalizeLccn],
];

/** Normalises the ISBNs and LCCNs of a record. Invalid values and empty lists are dropped. */
export function normalizeIdentifiers(record: ImportRecord): ImportRecord {
  const members: Record<string, Json | undefined> = { ...record };
  for (const [name, normal] of NORMALIZERS) {
    const list = stringsOf(record[name]).flatMap((text) => normal(text) ?? []);
    if (list.length > 0) members[name] = list;
    else delete members[name];
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
 * members: those of an unreadable type are dropped. Throws ImportFailure `invalid-value` if there are too many.
 */
export function normalizeAuthors(record: ImportRecord): ImportRecord {
  const authors = Array.isArray(record["authors"]) ? record["authors"] : [];
  const distinct = new Map<string, ImportRecord>();
  for (const author of authors.flatMap(normalizeAuthor)) {
    const identity = canonicalJson(author);
    if (!distinct.has(identity)) distinct.set(identity, author);
  }
  if (distinct.size > IMPORT_AUTHORS_MAX) {
    throw new ImportFailure("invalid-value", `authors: more than ${IMPORT_AUTHORS_MAX}`);
  }
  return { ...record, authors: [...distinct.values()] };
}

function normalizeAuthor(author: Json): ImportRecord[] {
  if (!isObject(author) || typeof author["name"] !== "string" || author["name"].trim() === "") return [];
  const members = Object.entries(author).flatMap(([name, value = null]): [string, Json][] => {
    const readable = value === null ? undefined : toReadableMember(name, value);
    return readable === undefined ? [] : [[name, readable]];
  });
  return [splitHeading(Object.fromEntries(members))];
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

function toReadableMember(name: string, value: Json): Json | undefined {
  if (AUTHOR_TEXTS.has(name)) {
    // Years are often numbers.
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  }
  if (name === "alternate_names") {
    return Array.isArray(value) ? value.filter((text) => typeof text === "string") : undefined;
  }
  if (name !== "remote_ids") return value;
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([, id]) => typeof id === "string"));
}

import { decodeHTML } from "entities/decode";
import { normalizeLccn } from "../../catalog/identifiers/edition-identifiers.ts";
import { canonicalIsbn } from "../../catalog/identifiers/isbn.ts";
import { type Json, isObject, stringsOf } from "../../catalog/record.ts";
import { type ImportRecord, isFalsy } from "../record.ts";

/** Moves the subtitle in the title of a record to `subtitle`, unless the record has one. */
export function withSubtitle(record: ImportRecord): ImportRecord {
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

/**
 * Removes texts in parentheses, including one nested level. Runs in one pass: an equivalent regular expression takes
 * quadratic time.
 */
function withoutParentheses(text: string): string {
  const closing = Array.from(text.matchAll(/\)/g), ({ index }) => index);
  const kept: string[] = [];
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
      kept.push(text.slice(from, open));
      from = end + 1;
      open = text.indexOf("(", from);
    }
  }
  return kept.join("") + text.slice(from);
}

/** Members that may contain HTML character references. */
const TEXTS = [
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
const AUTHOR_TEXTS = ["name", "personal_name", "bio", "title", "death_date"];
/**
 * Pattern of numeric references. Q327: a text with one was made for a web page; in other texts an ampersand is literal.
 */
const NUMERIC = /&#(?:[0-9]{1,6}|x[0-9a-fA-F]{1,6});/;

/** Decodes HTML character references in the texts of a record and its authors. */
export function withoutEntities(record: ImportRecord): ImportRecord {
  const decoded = withDecoded(record, TEXTS);
  const { authors } = decoded;
  if (!Array.isArray(authors)) return decoded;
  return {
    ...decoded,
    authors: authors.map((author) => (isObject(author) ? withDecoded(author, AUTHOR_TEXTS) : author)),
  };
}

/** Decodes all references of a text if one of them is numeric. */
export function decodedText(text: string): string {
  return NUMERIC.test(text) ? decodeHTML(text) : text;
}

function withDecoded(record: ImportRecord, names: readonly string[]): ImportRecord {
  const decoded = names.flatMap((name): [string, Json][] => {
    const value = record[name];
    if (typeof value === "string") return [[name, decodedText(value)]];
    if (!isObject(value) || typeof value["value"] !== "string") return [];
    return [[name, { ...value, value: decodedText(value["value"]) }]];
  });
  return decoded.length === 0 ? record : { ...record, ...Object.fromEntries(decoded) };
}

/** Members stored in normal form. Lookups use the same rules. */
const NORMALIZERS: readonly (readonly [name: string, normal: (text: string) => string | undefined])[] = [
  ["isbn_13", canonicalIsbn],
  ["isbn_10", canonicalIsbn],
  ["isbn", canonicalIsbn],
  ["lccn", normalizeLccn],
];

/** Normalises the ISBNs and LCCNs of a record. Invalid values and empty lists are dropped. */
export function withNormalIdentifiers(record: ImportRecord): ImportRecord {
  const members: Record<string, Json | undefined> = { ...record };
  for (const [name, normal] of NORMALIZERS) {
    const list = stringsOf(record[name]).flatMap((text) => normal(text) ?? []);
    if (list.length > 0) members[name] = list;
    else delete members[name];
  }
  return members;
}

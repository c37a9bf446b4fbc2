import { decodeHTML } from "entities/decode";
import { type Json, isObject } from "../../catalog/record.ts";
import type { ImportRecord } from "../record.ts";

/** Members in which sources leave references of HTML (import.md 15.2 step 4). */
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
/** Q327: text with a numeric reference was made for a page; in others an ampersand is an ampersand. */
const NUMERIC = /&#(?:[0-9]{1,6}|x[0-9a-fA-F]{1,6});/;

/** The record with the references of HTML decoded in its texts, and in those of its authors. */
export function withoutEntities(record: ImportRecord): ImportRecord {
  const decoded = withDecoded(record, TEXTS);
  const { authors } = decoded;
  if (!Array.isArray(authors)) return decoded;
  return {
    ...decoded,
    authors: authors.map((author) => (isObject(author) ? withDecoded(author, AUTHOR_TEXTS) : author)),
  };
}

/** All references of a text decoded, if one of them is numeric. */
export function decodedText(text: string): string {
  return NUMERIC.test(text) ? decodeHTML(text) : text;
}

function withDecoded(record: ImportRecord, names: readonly string[]): ImportRecord {
  const decoded = names.flatMap((name): [string, Json][] => {
    const value = record[name];
    if (typeof value === "string") return [[name, decodedText(value)]];
    const text = isObject(value) ? value["value"] : undefined;
    return isObject(value) && typeof text === "string"
      ? [[name, { ...value, value: decodedText(text) }]]
      : [];
  });
  return decoded.length === 0 ? record : { ...record, ...Object.fromEntries(decoded) };
}

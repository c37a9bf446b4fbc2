import type { TextKey } from "../texts.ts";
import { toCanonicalIsbn } from "../identifiers/isbn.ts";
import { toNormalForm, normalizeTitle } from "../matching/match-keys.ts";
import { parseDate, publicationYearOf } from "../publication-date.ts";
import { type CatalogRecord, isObject, keyOf, stringsOf, textOf } from "../record.ts";
import { parseEditionForm, NewRecords, parseAuthorRoles } from "./record-forms.ts";
import { type WriteFailure, documentFailure } from "./failure.ts";
import { formTextOf } from "./form-fields.ts";
import { isBlankField } from "./form-members.ts";
import { splitTitle } from "./form-texts.ts";

/** Value of the field `work` if none of the suggested works matches. */
export const NONE_OF_THESE = "none-of-these";

export interface BookToAdd {
  readonly title: string;
  /** Authors of the work. New ones are references to `newRecords`. */
  readonly authors: readonly CatalogRecord[];
  readonly newRecords: NewRecords;
  readonly publisher: string;
  readonly publishDate: string;
  readonly identifier: { readonly name: string; readonly value: string } | undefined;
  /** Web address of the book; empty if not sent. */
  readonly webAddress: string;
  /** Key of the edition's work; `none-of-these`; empty if not sent. */
  readonly work: string;
  /** True to only return the record that would be found. */
  readonly isTest: boolean;
  readonly comment: string;
}

/** Field names of the Python client, with the form fields for them (Q105). */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["title", "book_title"],
  ["author_key", "authors--0--author--key"],
  ["author_name", "author_names--0"],
]);

/** Converts a field name of either vocabulary to that of the form. */
export function toAddBookField(name: string): string {
  return OTHER_NAMES.get(name) ?? name;
}

/** Reads the nested form of a new book. Returns all failures at once. */
export function readAddBook(form: CatalogRecord): { book: BookToAdd; failures: WriteFailure[] } {
  const text = (name: string): string => formTextOf(form, name) ?? "";
  const newRecords = new NewRecords();
  const title = text("book_title");
  const failures: WriteFailure[] = [];
  if (title === "") failures.push(missingField("book_title", "bad_data.missing_title"));
  const name = text("id_name");
  const value = text("id_value");
  if (value !== "" && name === "") failures.push(missingField("id_name", "bad_data.missing_kind"));
  const work = text("work");
  // Q111: an edition of an existing work has that work's authors, so no author is created.
  const rows = work === "" || work === NONE_OF_THESE ? (form["authors"] ?? []) : [];
  const authors = parseAuthorRoles(rows, undefined, newRecords);
  for (const [place, author] of newRecords.documents.entries()) {
    if (isBlankField(author["name"]))
      failures.push(missingField(`author_names--${place}`, "bad_data.author_name"));
  }
  const book: BookToAdd = {
    title,
    authors,
    newRecords,
    publisher: text("publisher"),
    publishDate: text("publish_date"),
    identifier:
      value === "" || name === "olid" ? undefined : { name: identifierMemberOf(name, value), value },
    webAddress: text("web_book_url"),
    work,
    isTest: text("_test") === "true",
    comment: text("_comment"),
  };
  return { book, failures };
}

function identifierMemberOf(name: string, value: string): string {
  if (name !== "isbn") return name;
  return toCanonicalIsbn(value)?.length === 10 ? "isbn_10" : "isbn_13";
}

function missingField(property: string, key: TextKey): WriteFailure {
  return documentFailure({ key }, { key: "/books/add", property });
}

/** Returns the edition of a book to add, without a key. */
export function buildNewEdition(book: BookToAdd, work: string): CatalogRecord {
  const { title, publisher, publishDate, identifier, webAddress } = book;
  const fields: CatalogRecord = {
    publishers: publisher,
    publish_date: publishDate,
    identifiers: identifier === undefined ? undefined : [identifier],
  };
  const members = parseEditionForm(fields, {});
  return {
    type: { key: "/type/edition" },
    title,
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)),
    ...(webAddress === "" ? {} : { providers: [{ url: webAddress, format: "web" }] }),
    works: [{ key: work }],
  };
}

/** Returns the work of a book to add, without a key. */
export function buildNewWork({ title, authors }: BookToAdd): CatalogRecord {
  return { type: { key: "/type/work" }, title, ...(authors.length === 0 ? {} : { authors: [...authors] }) };
}

/** Returns true if the book has data besides its title, and all of it matches the edition. */
export function isSameEdition(book: BookToAdd, edition: CatalogRecord): boolean {
  const { publisher, publishDate, identifier } = book;
  const year = parseDate(publishDate)?.year;
  if (publisher === "" && year === undefined && identifier === undefined) return false;
  if (
    publisher !== "" &&
    !stringsOf(edition["publishers"]).map(foldPublisher).includes(foldPublisher(publisher))
  )
    return false;
  if (year !== undefined && publicationYearOf(edition) !== year) return false;
  return identifier === undefined || hasIdentifier(edition, identifier);
}

function hasIdentifier(edition: CatalogRecord, { name, value }: { name: string; value: string }): boolean {
  const others = isObject(edition["identifiers"]) ? edition["identifiers"] : {};
  if (name !== "isbn_10" && name !== "isbn_13") {
    return [...stringsOf(edition[name]), ...stringsOf(others[name])].some((text) => text.trim() === value);
  }
  const isbn = toCanonicalIsbn(value) ?? value;
  return stringsOf(edition[name]).some((text) => (toCanonicalIsbn(text) ?? text) === isbn);
}

const PUBLISHER_WORDS = /\b(?:publishers?|and|inc|ltd|co)\b\.?/g;

function foldPublisher(name: string): string {
  const folded = name.toLowerCase();
  const plain = folded.replace(PUBLISHER_WORDS, "").replaceAll(/[^\p{L}\p{N}]+/gu, "");
  return plain === "" ? folded.trim() : plain;
}

/** Returns true if a record has the title of the book, ignoring case, with or without its subtitle. */
export function hasSameTitle({ title }: BookToAdd, record: CatalogRecord): boolean {
  const folded = foldTitle(title);
  const recordTitle = textOf(record["title"]) ?? "";
  const fullTitle = recordTitle + (textOf(record["subtitle"]) ?? "");
  return foldTitle(recordTitle) === folded || foldTitle(fullTitle) === folded;
}

/** Returns the normalised titles, with and without subtitle, under which the book's records are indexed. */
export function lookupTitlesOf({ title }: BookToAdd): string[] {
  const short = splitTitle(title)?.title ?? title;
  return [...new Set([normalizeTitle(title), normalizeTitle(short)])].filter((key) => key !== "");
}

function foldTitle(title: string): string {
  const folded = toNormalForm(title, "NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
  return folded === "" ? normalizeTitle(title) : folded;
}

export function firstAuthorKeyOf({ authors }: BookToAdd): string | undefined {
  return keyOf(authors[0]?.["author"]);
}

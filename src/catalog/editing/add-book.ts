import { canonicalIsbn } from "../identifiers/isbn.ts";
import { normalForm } from "../matching/normal-form.ts";
import { normalizedTitle } from "../matching/title-keys.ts";
import { type CatalogRecord, isObject, keyOf, stringsOf, textOf } from "../record.ts";
import { editionMembers } from "./edition-form.ts";
import { type WriteFailure, badDocument } from "./failure.ts";
import { formText } from "./form-fields.ts";
import { isBlank } from "./form-members.ts";
import { splitTitle } from "./form-texts.ts";
import { NewRecords, authorRoles } from "./work-form.ts";

/** In the field `work`: none of the works that were shown is the one. */
export const NONE_OF_THESE = "none-of-these";

/** A book that somebody wants to add. */
export interface BookToAdd {
  readonly title: string;
  /** Authors of the work; new ones are references to `news`. */
  readonly authors: readonly CatalogRecord[];
  readonly news: NewRecords;
  readonly publisher: string;
  readonly publishDate: string;
  readonly identifier: { readonly name: string; readonly value: string } | undefined;
  /** Where it can be read on the web; empty when that was not said. */
  readonly webAddress: string;
  /** Key of the work that it is an edition of; `none-of-these`; empty when that was not said. */
  readonly work: string;
  /** Only tell which record would be found. */
  readonly isTest: boolean;
  readonly comment: string;
}

/** Names of the Python client's fields, and those of the form (Q105). */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["title", "book_title"],
  ["author_key", "authors--0--author--key"],
  ["author_name", "author_names--0"],
]);

/** The fields of either vocabulary in that of the form. */
export function addBookVocabulary(name: string): string {
  return OTHER_NAMES.get(name) ?? name;
}

/** Reads the form of a new book, nested; all failures at once. */
export function readAddBook(form: CatalogRecord): { book: BookToAdd; failures: WriteFailure[] } {
  const text = (name: string): string => formText(form, name) ?? "";
  const news = new NewRecords();
  const title = text("book_title");
  const failures: WriteFailure[] = [];
  if (title === "") failures.push(missing("book_title", "Please enter a title"));
  const name = text("id_name");
  const value = text("id_value");
  if (value !== "" && name === "")
    failures.push(missing("id_name", "Please say what kind of number this is"));
  const work = text("work");
  // Q111: an edition of a work that is there already has that work's authors, so nobody is made.
  const rows = work === "" || work === NONE_OF_THESE ? (form["authors"] ?? []) : [];
  const authors = authorRoles(rows, undefined, news);
  for (const [place, author] of news.documents.entries()) {
    if (isBlank(author["name"]))
      failures.push(missing(`author_names--${place}`, "Please enter the author's name"));
  }
  const book: BookToAdd = {
    title,
    authors,
    news,
    publisher: text("publisher"),
    publishDate: text("publish_date"),
    identifier: value === "" || name === "olid" ? undefined : { name: numberName(name, value), value },
    webAddress: text("web_book_url"),
    work,
    isTest: text("_test") === "true",
    comment: text("_comment"),
  };
  return { book, failures };
}

/** The member for a number: of an ISBN, as people say it, the one of its length. */
function numberName(name: string, value: string): string {
  if (name !== "isbn") return name;
  return canonicalIsbn(value)?.length === 10 ? "isbn_10" : "isbn_13";
}

function missing(property: string, message: string): WriteFailure {
  return badDocument(message, { key: "/books/add", property });
}

/** The edition of a book to be added, without a key. */
export function newEdition(book: BookToAdd, work: string): CatalogRecord {
  const { title, publisher, publishDate, identifier, webAddress } = book;
  const sent: CatalogRecord = {
    publishers: publisher,
    publish_date: publishDate,
    identifiers: identifier === undefined ? undefined : [identifier],
  };
  const members = editionMembers(sent, {});
  return {
    type: { key: "/type/edition" },
    title,
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)),
    ...(webAddress === "" ? {} : { providers: [{ url: webAddress, format: "web" }] }),
    works: [{ key: work }],
  };
}

/** The work of a book to be added, without a key. */
export function newWork({ title, authors }: BookToAdd): CatalogRecord {
  return {
    type: { key: "/type/work" },
    title,
    ...(authors.length === 0 ? {} : { authors: [...authors] }),
  };
}

/** True when all that is known of the book besides its title, and that is something, is the edition's. */
export function isSameEdition(book: BookToAdd, edition: CatalogRecord): boolean {
  const { publisher, publishDate, identifier } = book;
  const year = yearOf(publishDate);
  if (publisher === "" && year === undefined && identifier === undefined) return false;
  if (
    publisher !== "" &&
    !stringsOf(edition["publishers"]).map(foldedPublisher).includes(foldedPublisher(publisher))
  )
    return false;
  if (year !== undefined && yearOf(textOf(edition["publish_date"]) ?? "") !== year) return false;
  return identifier === undefined || hasIdentifier(edition, identifier);
}

function hasIdentifier(edition: CatalogRecord, { name, value }: { name: string; value: string }): boolean {
  const others = isObject(edition["identifiers"]) ? edition["identifiers"] : {};
  if (name !== "isbn_10" && name !== "isbn_13") {
    return [...stringsOf(edition[name]), ...stringsOf(others[name])].some((one) => one.trim() === value);
  }
  const isbn = canonicalIsbn(value) ?? value;
  return stringsOf(edition[name]).some((one) => (canonicalIsbn(one) ?? one) === isbn);
}

/** Words that publishers' names have or lack at will. */
const PUBLISHER_WORDS = /\b(?:publishers?|and|inc|ltd|co)\b\.?/g;

function foldedPublisher(name: string): string {
  const folded = name.toLowerCase();
  const plain = folded.replace(PUBLISHER_WORDS, "").replaceAll(/[^\p{L}\p{N}]+/gu, "");
  return plain === "" ? folded.trim() : plain;
}

/** The year in a date of any form: the first four digits that stand together. */
export function yearOf(date: string): string | undefined {
  return /(?<!\d)\d{4}(?!\d)/.exec(date)?.[0];
}

/** True when a record has the title of the book, in whatever case and with or without its subtitle. */
export function hasSameTitle({ title }: BookToAdd, record: CatalogRecord): boolean {
  const folded = foldedTitle(title);
  const own = textOf(record["title"]) ?? "";
  return [own, own + (textOf(record["subtitle"]) ?? "")].some((one) => foldedTitle(one) === folded);
}

/** The normalised titles under which records with the title of the book are indexed, with and without subtitle. */
export function titlesToLookUp({ title }: BookToAdd): string[] {
  const short = splitTitle(title)?.title ?? title;
  return [...new Set([normalizedTitle(title), normalizedTitle(short)])].filter((one) => one !== "");
}

function foldedTitle(title: string): string {
  const folded = normalForm(title, "NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
  return folded === "" ? normalizedTitle(title) : folded;
}

/** Key of the first author that exists already. */
export function firstAuthor({ authors }: BookToAdd): string | undefined {
  return keyOf(authors[0]?.["author"]);
}

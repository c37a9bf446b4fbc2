import { isoLanguage } from "../catalog/language.ts";
import type { JsonObject } from "../catalog/record.ts";
import type { Book } from "./book.ts";
import type { DateParts } from "./dates.ts";
import { type Agent, type AgentRole, namePartsOf, agentRoleOf } from "./names.ts";

/** Converts a book to an item of CSL-JSON 1.0.2: https://github.com/citation-style-language/schema */
export function toCslItem(book: Book): JsonObject {
  const {
    series: [series],
  } = book;
  return dropEmptyMembers({
    id: book.id,
    type: "book",
    title: fullTitleOf(book),
    "title-short": book.subtitle === undefined ? undefined : book.title,
    author: cslNamesOf(book, "author"),
    editor: cslNamesOf(book, "editor"),
    translator: cslNamesOf(book, "translator"),
    illustrator: cslNamesOf(book, "illustrator"),
    contributor: cslNamesOf(book, "contributor"),
    issued: book.issued === undefined ? undefined : { "date-parts": [dateNumbersOf(book.issued)] },
    publisher: book.publishers[0],
    "publisher-place": book.publishPlaces[0],
    edition: book.edition,
    "collection-title": series?.title,
    "collection-number": series?.number,
    "number-of-pages": book.pages === undefined ? undefined : String(book.pages),
    ISBN: isbnOf(book),
    "call-number": book.congressClasses[0] ?? book.deweyClasses[0],
    language: languageTagOf(book),
    abstract: book.description,
    keyword: book.subjects.join(", "),
    URL: book.url,
  });
}

/** Returns the non-empty members. */
export function dropEmptyMembers(members: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) =>
      Array.isArray(value) ? value.length > 0 : value !== undefined && value !== "",
    ),
  );
}

/** Joins title and subtitle. */
export function fullTitleOf({ title, subtitle }: Pick<Book, "title" | "subtitle">): string {
  return subtitle === undefined ? title : `${title}: ${subtitle}`;
}

/** Returns the ISBN of an edition, preferring 13 digits. */
export function isbnOf({ isbn13, isbn10 }: Book): string | undefined {
  return isbn13[0] ?? isbn10[0];
}

/** Returns the tag of the first language (BCP 47). */
export function languageTagOf({ languages }: Book): string | undefined {
  return languages.map(tagOf)[0];
}

/** Returns the tag of a language: the two-letter code if there is one. */
export function tagOf(code: string): string {
  return isoLanguage(code) ?? code;
}

function cslNamesOf({ agents }: Book, part: AgentRole): JsonObject[] {
  return agents.filter((agent) => agentRoleOf(agent) === part).map(toCslName);
}

function toCslName(agent: Agent): JsonObject {
  const parts = namePartsOf(agent);
  if (parts === undefined) return { literal: agent.name };
  const { family, given, particle, suffix } = parts;
  return dropEmptyMembers({ family, given, "non-dropping-particle": particle, suffix });
}

function dateNumbersOf({ year, month, day }: DateParts): number[] {
  return [year, month, day].filter((part) => part !== undefined);
}

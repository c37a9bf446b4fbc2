import type { Book } from "./book.ts";
import { fullTitle, isbnOf, languageTag } from "./csl.ts";
import { isoDate } from "./dates.ts";
import { SCHEMA_ORG } from "./schema-org.ts";
import { type Agent, nameParts, partOf, sortedName } from "./names.ts";
import { AUTHOR_FORMATS, FORMATS, FORMAT_NAMES, mediaType } from "./formats.ts";

/** Name and content of a `meta` element. */
type Meta = readonly [name: string, content: string];

/** Formats a book as an OpenURL context object (COinS): the `title` of an empty `<span class="Z3988">`. */
export function contextObject(book: Book): string {
  const [first, ...others] = authorsOf(book);
  const parts = first && nameParts(first);
  const pairs: Some[] = [
    ["ctx_ver", "Z39.88-2004"],
    ["rft_val_fmt", "info:ofi/fmt:kev:mtx:book"],
    ["rfr_id", `info:sid/${new URL(book.site).host}:catalog`],
    ["rft_id", book.url],
    ["rft.genre", "book"],
    ["rft.btitle", fullTitle(book)],
    ["rft.aulast", parts && [parts.particle, parts.family].filter((part) => part !== "").join(" ")],
    ["rft.aufirst", parts?.given],
    ["rft.au", parts === undefined ? first?.name : undefined],
    ...others.map((author): Some => ["rft.au", sortedName(author)]),
    ["rft.pub", book.publishers[0]],
    ["rft.place", book.publishPlaces[0]],
    ["rft.date", book.issued && isoDate(book.issued)],
    ["rft.edition", book.edition],
    ["rft.series", book.series[0]?.title],
    ["rft.tpages", book.pages === undefined ? undefined : String(book.pages)],
    ["rft.language", languageTag(book)],
    ["rft.isbn", isbnOf(book)],
  ];
  return String(new URLSearchParams(filled(pairs)));
}

type Some = readonly [name: string, content: string | undefined];

function filled(pairs: readonly Some[]): [string, string][] {
  return pairs.flatMap(([name, content]): [string, string][] =>
    content === undefined || content === "" ? [] : [[name, content]],
  );
}

function authorsOf({ agents }: Book): Agent[] {
  return agents.filter((agent) => partOf(agent) === "author");
}

/** Maximum number of subjects in a page's metadata. Its JSON-LD has more of them. */
const KEYWORDS = 10;

/** Returns the metadata in the head of a page for reference managers (`name`). */
export function citationMetas(book: Book): Meta[] {
  return filled([
    ["citation_title", fullTitle(book)],
    ...authorsOf(book).map((author): Some => ["citation_author", sortedName(author)]),
    ["citation_publication_date", book.issued && isoDate(book.issued).replaceAll("-", "/")],
    ["citation_publisher", book.publishers[0]],
    ...[...book.isbn13, ...book.isbn10].map((isbn): Some => ["citation_isbn", isbn]),
    ["citation_series_title", book.series[0]?.title],
    ["citation_language", languageTag(book)],
    ...book.subjects.slice(0, KEYWORDS).map((subject): Some => ["citation_keywords", subject]),
    ["citation_public_url", book.url],
  ]);
}

/** Maximum length of the description in a preview, in characters. */
const PREVIEW_LENGTH = 300;

/** Returns the OpenGraph metadata of a book, used for link previews (`property`). */
export function openGraph(book: Book, siteName: string): Meta[] {
  return filled([
    ["og:type", "book"],
    ["og:site_name", siteName],
    ["og:title", fullTitle(book)],
    ["og:url", book.url],
    ["og:image", book.coverUrl],
    ["og:description", book.description && shortened(book.description)],
    ...authorsOf(book).map((author): Some => ["book:author", author.url]),
    ["book:isbn", isbnOf(book)],
    ["book:release_date", book.issued && isoDate(book.issued)],
  ]);
}

function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * PREVIEW_LENGTH + 1).replace(/\s+/g, " "));
  return characters.length <= PREVIEW_LENGTH
    ? characters.join("")
    : `${characters.slice(0, PREVIEW_LENGTH - 1).join("")}…`;
}

/** Machine-readable form of a record (`link rel=alternate`). */
interface Alternate {
  readonly href: string;
  readonly type: string;
  readonly title: string;
}

/** Forms that every record has. */
const RECORD_FORMS: readonly (readonly [suffix: string, type: string, title: string])[] = [
  ["json", "application/json", "JSON"],
  ["rdf", "application/rdf+xml", "RDF"],
];

/** Returns all forms of a work, an edition or an author, by the address of the record. */
export function alternates(address: string): Alternate[] {
  const names = address.endsWith("A") ? AUTHOR_FORMATS : FORMAT_NAMES;
  const own = names.map((name) => {
    const { contentType, label } = FORMATS[name];
    return [name, mediaType(contentType), label] as const;
  });
  return [...RECORD_FORMS, ...own].map(([suffix, type, title]) => ({
    href: `${address}.${suffix}`,
    type,
    title,
  }));
}

/**
 * Returns the `Link` header of a record's page (Signposting, https://signposting.org/FAIR/): its own address, its
 * forms, and the licence of records, if there is one.
 */
export function signposts(address: string, license = ""): string {
  const forms = alternates(address).map(({ href, type }) => `<${href}>; rel="describedby"; type="${type}"`);
  const type = address.endsWith("A") ? "Person" : "Book";
  const terms = license === "" ? [] : [`<${license}>; rel="license"`];
  return [`<${address}>; rel="cite-as"`, `<${SCHEMA_ORG}/${type}>; rel="type"`, ...terms, ...forms].join(
    ", ",
  );
}

import { type Book, fullTitleOf, isbnOf, languageTagOf } from "./book.ts";
import { formatIsoDate } from "../catalog/publication-date.ts";
import { exportDateOf } from "./dates.ts";
import { joinNonEmpty } from "./values.ts";
import { agentsInRole, namePartsOf, sortedNameOf } from "./agents.ts";
import { AUTHOR_FORMATS, FORMATS, FORMAT_NAMES, SCHEMA_ORG, mediaType } from "./formats.ts";

type Meta = readonly [name: string, content: string];

/** Formats a book as an OpenURL context object (COinS): the `title` of an empty `<span class="Z3988">`. */
export function formatContextObject(book: Book): string {
  const [first, ...others] = agentsInRole(book, "author");
  const parts = first && namePartsOf(first);
  const pairs: OptionalMeta[] = [
    ["ctx_ver", "Z39.88-2004"],
    ["rft_val_fmt", "info:ofi/fmt:kev:mtx:book"],
    ["rfr_id", `info:sid/${new URL(book.site).host}:catalog`],
    ["rft_id", book.url],
    ["rft.genre", "book"],
    ["rft.btitle", fullTitleOf(book)],
    ["rft.aulast", parts && joinNonEmpty([parts.particle, parts.family], " ")],
    ["rft.aufirst", parts?.given],
    ["rft.au", parts === undefined ? first?.name : undefined],
    ...others.map((author): OptionalMeta => ["rft.au", sortedNameOf(author)]),
    ["rft.pub", book.publishers[0]],
    ["rft.place", book.publishPlaces[0]],
    ["rft.date", singleDateOf(book)],
    ["rft.edition", book.edition],
    ["rft.series", book.series[0]?.title],
    ["rft.tpages", book.pages === undefined ? undefined : String(book.pages)],
    ["rft.language", languageTagOf(book)],
    ["rft.isbn", isbnOf(book)],
  ];
  return String(new URLSearchParams(dropEmptyMetas(pairs)));
}

function singleDateOf({ issued }: Book): string | undefined {
  const { single } = exportDateOf(issued);
  return single && formatIsoDate(single);
}

type OptionalMeta = readonly [name: string, content: string | undefined];

function dropEmptyMetas(pairs: readonly OptionalMeta[]): [string, string][] {
  return pairs.flatMap(([name, content]): [string, string][] =>
    content === undefined || content === "" ? [] : [[name, content]],
  );
}

/** Maximum number of subjects in a page's metadata. Its JSON-LD has more of them. */
const KEYWORDS = 10;

/** Returns the metadata in the head of a page for reference managers (`name`). */
export function citationMetasOf(book: Book): Meta[] {
  return dropEmptyMetas([
    ["citation_title", fullTitleOf(book)],
    ...agentsInRole(book, "author").map((author): OptionalMeta => ["citation_author", sortedNameOf(author)]),
    ["citation_publication_date", singleDateOf(book)?.replaceAll(/\b-/g, "/")],
    ["citation_publisher", book.publishers[0]],
    ...[...book.isbn13, ...book.isbn10].map((isbn): OptionalMeta => ["citation_isbn", isbn]),
    ["citation_series_title", book.series[0]?.title],
    ["citation_language", languageTagOf(book)],
    ...book.subjects.slice(0, KEYWORDS).map((subject): OptionalMeta => ["citation_keywords", subject]),
    ["citation_public_url", book.url],
  ]);
}

/** Returns what OpenGraph says of books only, used for link previews (`property`). */
export function openGraphBookOf(book: Book): Meta[] {
  return dropEmptyMetas([
    ...agentsInRole(book, "author").map((author): OptionalMeta => ["book:author", author.url]),
    ["book:isbn", isbnOf(book)],
    ["book:release_date", singleDateOf(book)],
  ]);
}

const RECORD_FORMS: readonly (readonly [suffix: string, type: string, title: string])[] = [
  ["json", "application/json", "JSON"],
  ["rdf", "application/rdf+xml", "RDF"],
];

/** Returns the machine-readable forms of a work, edition or author at an address (`link rel=alternate`). */
export function alternatesOf(address: string) {
  const names = address.endsWith("A") ? AUTHOR_FORMATS : FORMAT_NAMES;
  const exportForms = names.map((name) => {
    const { contentType, label } = FORMATS[name];
    return [name, mediaType(contentType), label] as const;
  });
  return [...RECORD_FORMS, ...exportForms].map(([suffix, type, title]) => ({
    href: `${address}.${suffix}`,
    type,
    title,
  }));
}

/** Formats the `Link` header of a record's page (https://signposting.org/FAIR/), with any licence. */
export function formatSignposts(address: string, license = ""): string {
  const forms = alternatesOf(address).map(({ href, type }) => `<${href}>; rel="describedby"; type="${type}"`);
  const type = address.endsWith("A") ? "Person" : "Book";
  const terms = license === "" ? [] : [`<${license}>; rel="license"`];
  return [`<${address}>; rel="cite-as"`, `<${SCHEMA_ORG}/${type}>; rel="type"`, ...terms, ...forms].join(
    ", ",
  );
}

import { MIB } from "../catalog/units.ts";
import { utf8Length } from "../catalog/bytes.ts";
import { normalizeNumbers } from "../catalog/identifiers/edition-identifiers.ts";
import { lastSegmentOf } from "../catalog/keys.ts";
import { isoLanguageOf } from "../catalog/language.ts";
import { type LookupConfig, coverIdOf, buildCoverUrl, ocaidOf } from "../catalog/lookup/bundle.ts";
import {
  type CatalogRecord,
  DOCUMENT_BYTES,
  type Json,
  elementsOf,
  keyOf,
  keysOf,
  objectsOf,
  resolveRecord,
  textOf,
  typeKeyOf,
} from "../catalog/record.ts";
import { editionTitleOf, toTocRow } from "../catalog/document.ts";
import {
  type PublicationDate,
  earliestDateOf,
  formatIsoDate,
  latestYearOf,
  parseDate,
  publicationDatesOf,
} from "../catalog/publication-date.ts";
import { dropCaseDuplicates } from "../catalog/editing/form-texts.ts";
import { agentsOf } from "./agents.ts";
import { exportDateOf } from "./dates.ts";
import { type OtherNumber, materialOf, numbersOf, nonBlankTextsOf, trimText } from "./values.ts";

const ISBN_13_LENGTH = 13;

/** Records of a book. All are as readers see them (`toReadView`); nothing is fetched. */
export interface BookRecords {
  readonly record: CatalogRecord;
  /** First work of an edition, with redirects followed. */
  readonly work?: CatalogRecord | undefined;
  /** Authors, and series of a work, by the key that refers to them. */
  readonly related: ReadonlyMap<string, CatalogRecord>;
  /** Editions of a work, as far as they were read. */
  readonly editions?: readonly CatalogRecord[];
  /** Date of first publication, if known from another source than the record. */
  readonly firstDate?: PublicationDate | undefined;
}

interface SeriesPart {
  readonly title: string;
  readonly number: string | undefined;
}

interface BookLink {
  readonly url: string;
  readonly title: string;
}

/** Edition or work with all data for exports. Each export format is a pure function of this model. */
export type Book = ReturnType<typeof wholeBookOf>;

/**
 * Builds a book from its records, shortened if it is too long for an export. Data of the work fills in for missing data of
 * an edition.
 */
export function toBook(records: BookRecords, site: LookupConfig): Book {
  return fitBook(wholeBookOf(records, site));
}

function wholeBookOf(records: BookRecords, site: LookupConfig) {
  const { record, work, related, editions = [] } = records;
  const [key, isWork] = [keyOf(record) ?? "", typeKeyOf(record) === "/type/work"];
  const text = (member: string): string | undefined => trimText(textOf(record[member]));
  const texts = (member: string): string[] => nonBlankTextsOf(record[member]);
  const shared = (member: string): string[] =>
    dropCaseDuplicates([...texts(member), ...nonBlankTextsOf(work?.[member])]);
  const numbers = (member: string): string[] => normalizeNumbers(member, record[member]);
  const isbns = [...new Set([...numbers("isbn_10"), ...numbers("isbn_13")])];
  const date = isWork ? firstPublishDateOf(records) : text("publish_date");
  return {
    isWork,
    key,
    id: lastSegmentOf(key),
    url: site.baseUrl + key,
    title: trimText(editionTitleOf(record)) ?? "Untitled",
    /** Start of the title that sorting skips, if the source of the record said so. */
    article: textOf(record["title_article"]),
    subtitle: text("subtitle"),
    /** Titles of the edition's work, as written in catalogs. */
    workTitles: texts("work_titles"),
    otherTitles: texts("other_titles"),
    agents: agentsOf(records, site.baseUrl),
    byStatement: text("by_statement"),
    publishers: texts("publishers"),
    publishPlaces: texts("publish_places"),
    date,
    issued: date === undefined ? undefined : parseDate(date, latestYearOf(record)),
    copyrightDate: text("copyright_date"),
    /** MARC country code. */
    country: text("publish_country")?.trim(),
    edition: text("edition_name"),
    format: text("physical_format"),
    material: materialOf(text("physical_format"), text("pagination")),
    pagination: text("pagination"),
    pages: typeof record["number_of_pages"] === "number" ? record["number_of_pages"] : undefined,
    dimensions: text("physical_dimensions"),
    series: isWork ? seriesOfWork(record, related) : texts("series").map(parseSeriesPart),
    /** Series of an edition's work. */
    workSeries: work === undefined ? [] : seriesOfWork(work, related),
    languages: languagesOf(record["languages"]),
    translatedFrom: languagesOf(record["translated_from"]),
    isbn10: isbns.filter(({ length }) => length !== ISBN_13_LENGTH),
    isbn13: isbns.filter(({ length }) => length === ISBN_13_LENGTH),
    lccn: numbers("lccn"),
    oclc: numbers("oclc_numbers"),
    numbers: numbersOf(record["identifiers"]),
    congressClasses: texts("lc_classifications"),
    deweyClasses: dropCaseDuplicates([...texts("dewey_decimal_class"), ...texts("dewey_number")]),
    subjects: shared("subjects"),
    subjectPlaces: shared("subject_places"),
    people: shared("subject_people"),
    times: shared("subject_times"),
    genres: texts("genres"),
    description: text("description") ?? trimText(textOf(work?.["description"])),
    notes: text("notes"),
    contents: contentsOf(record["table_of_contents"]),
    links: linksOf(record["links"]),
    locations: texts("location"),
    /** Identifier of its scan in the archive. */
    scan: ocaidOf(record),
    scanUrl: scanUrlOf(record, site),
    coverUrl: coverOf([record, ...(work === undefined ? [] : [work]), ...editions], site.coversUrl),
    work: work === undefined ? undefined : linkOf(work, site.baseUrl),
    editions: editions.map((edition) => editionLinkOf(edition, site.baseUrl)),
    site: site.baseUrl,
    created: timeOf(record["created"]),
    modified: timeOf(record["last_modified"]),
  };
}

/** Returns the date stated by the work, else a year from another source, else its earliest edition's. */
function firstPublishDateOf({ record, editions = [], firstDate }: BookRecords): string | undefined {
  const date = firstDate ?? earliestDateOf(editions.flatMap((edition) => publicationDatesOf(edition)));
  const stated = trimText(textOf(record["first_publish_date"]));
  if (stated !== undefined || date === undefined) return stated;
  const { year, lastYear } = date;
  const isUnknown = exportDateOf(date).single === undefined && year > 0;
  return isUnknown ? `between ${year} and ${lastYear}` : formatIsoDate({ year });
}

function languagesOf(references: Json | undefined): string[] {
  return dropCaseDuplicates(keysOf(references).map(lastSegmentOf)).filter((code) => /^[a-z]{3}$/.test(code));
}

interface Lengths {
  /** Maximum length of a text, in characters, and of a list. */
  readonly text: number;
  readonly list: number;
}

const HEAD_LENGTHS = { text: 1000, list: 30 };

/** Cuts texts and lists of a book: records may hold any amount of data, and pages only show the start. */
export function shortenBook(book: Book): Book {
  // A copy has the shape of the original.
  return shorten(book, HEAD_LENGTHS) as Book;
}

function shorten(value: unknown, to: Lengths): unknown {
  if (typeof value === "string") return value.slice(0, to.text).toWellFormed();
  if (Array.isArray(value)) return value.slice(0, to.list).map((item) => shorten(item, to));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member, to)]));
}

/** Maximum bytes of a book as written in any format: with the text around it, a response stays below 8 MiB. */
export const BOOK_BYTES = 6 * MIB;
/** Q725: ends the description of a book that was shortened. */
export const SHORTENED = "[Shortened: the record is too long for this format.]";

/**
 * Cuts the largest texts and lists of a book that has more than `bytes` as written, and marks it. The same book is
 * always cut in the same way.
 */
export function fitBook(book: Book, bytes = BOOK_BYTES): Book {
  if (sizeOf(book, ({ length }) => length * LONGEST_ESCAPE) <= bytes) return book;
  let short = book;
  for (let text = DOCUMENT_BYTES / 2; sizeOf(short) > bytes; text /= 2) {
    // A copy has the shape of the original.
    const cut = shorten(book, { text, list: text / 8 }) as Book;
    short = { ...cut, description: `${cut.description?.replace(SHORTENED, "") ?? ""} ${SHORTENED}`.trim() };
  }
  return short;
}

/** Bytes around a value: elements of XML with their indentation, members of JSON. */
const VALUE_BYTES = 250;
/** Bytes beyond the first of ASCII characters that a format escapes. Each blank line of a note begins a field of MARC. */
const ESCAPES = new Uint8Array(0x80);
for (const character of '&<>"') ESCAPES[character.charCodeAt(0)] = 5;
for (const character of "\\~^") ESCAPES[character.charCodeAt(0)] = 19;
ESCAPES["\n".charCodeAt(0)] = 69;
const LONGEST_ESCAPE = 70;

/** Returns the bytes of a value in the format that needs most. */
function sizeOf(value: unknown, bytesOf = writtenBytes): number {
  if (typeof value === "string") return VALUE_BYTES + bytesOf(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + sizeOf(member, bytesOf), 0);
}

function writtenBytes(text: string): number {
  let bytes = utf8Length(text);
  for (let at = 0; at < text.length; at += 1) bytes += ESCAPES[text.charCodeAt(at)] ?? 0;
  return bytes;
}

export function allTitlesOf({ workTitles, otherTitles }: Book): string[] {
  return dropCaseDuplicates([...workTitles, ...otherTitles]);
}

/** Returns all numbers of a book except ISBNs. */
export function allNumbersOf({ numbers, lccn, oclc }: Book): OtherNumber[] {
  return [...numbers, ...numbersOf({ lccn, oclc })];
}

function contentsOf(rows: Json | undefined): string[] {
  return elementsOf(rows).flatMap((row) => {
    const { label, title, pagenum } = toTocRow(row) ?? { label: "", title: "", pagenum: "" };
    return trimText([label, title, pagenum].filter((part) => part !== "").join(" ")) ?? [];
  });
}

function linksOf(links: Json | undefined): BookLink[] {
  return objectsOf(links).flatMap((link) => {
    const url = trimText(textOf(link["url"]));
    return url === undefined ? [] : [{ url, title: trimText(textOf(link["title"])) ?? "" }];
  });
}

function linkOf(record: CatalogRecord, baseUrl: string): BookLink {
  return { url: baseUrl + (keyOf(record) ?? ""), title: trimText(editionTitleOf(record)) ?? "Untitled" };
}

function editionLinkOf(edition: CatalogRecord, baseUrl: string): BookLink & { isbn: string | undefined } {
  const [isbn] = ["isbn_13", "isbn_10"].flatMap((member) => normalizeNumbers(member, edition[member]));
  return { ...linkOf(edition, baseUrl), isbn };
}

function scanUrlOf(record: CatalogRecord, { archiveUrl }: LookupConfig): string | undefined {
  const scan = ocaidOf(record);
  return scan === undefined ? undefined : `${archiveUrl}/details/${encodeURIComponent(scan.toWellFormed())}`;
}

function coverOf(records: readonly CatalogRecord[], coversUrl: string): string | undefined {
  const id = records.map(coverIdOf).find((cover) => cover !== undefined);
  return id === undefined ? undefined : buildCoverUrl(coversUrl, id, "L");
}

function timeOf(value: Json | undefined): string | undefined {
  return trimText(textOf(value));
}

const BEFORE_NUMBER = / -- | ; |[,;] (?=(?:no|nr|vol|v|bk|bd|book|t|n)\b\.? ?\d)/i;

/** Splits `Penguin classics -- 12`, `Penguin classics ; 12` or `Penguin classics, no. 12`. */
function parseSeriesPart(text: string): SeriesPart {
  const separator = BEFORE_NUMBER.exec(text);
  const title = text.slice(0, separator?.index);
  const number = separator === null ? "" : text.slice(separator.index + separator[0].length);
  return title === "" || number === "" ? { title: text, number: undefined } : { title, number };
}

function seriesOfWork(work: CatalogRecord, related: BookRecords["related"]): SeriesPart[] {
  return objectsOf(work["series"]).flatMap((entry) => {
    const series = resolveRecord(related, keyOf(entry["series"]) ?? "");
    const title = trimText(textOf(series?.["name"]));
    return title === undefined ? [] : [{ title, number: trimText(textOf(entry["position"])) }];
  });
}

export function fullTitleOf({ title, subtitle }: Pick<Book, "title" | "subtitle">): string {
  return subtitle === undefined ? title : `${title}: ${subtitle}`;
}

/** Returns the pagination as stated, or else the number of pages. */
export function extentOf({ pagination, pages }: Book): string | undefined {
  return pagination ?? (pages === undefined ? undefined : `${pages} pages`);
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
  return isoLanguageOf(code) ?? code;
}

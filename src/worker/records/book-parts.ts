import { richText } from "../ui/rich-text.ts";
import { normalizeNumber } from "../../catalog/identifiers/edition-identifiers.ts";
import { SHELVES } from "../../catalog/patrons/shelves.ts";
import {
  type CatalogRecord,
  type Json,
  objectsOf,
  textOf,
  isObject,
  stringsOf,
} from "../../catalog/record.ts";
import { textLanguageOf } from "../../catalog/title-language.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { averageRatingOf, countRatings } from "../../search/documents/popularity.ts";
import type { WorkCounts } from "../../search/documents/types.ts";
import { pictureAddress, cover } from "../ui/cover.ts";
import { dropper } from "../ui/dropper.ts";
import {
  type Markup,
  type Piece,
  addressOf,
  langAttribute,
  markup,
  shortText,
  SHOWN_TEXT_MAX,
} from "../ui/markup.ts";
import { recordLink } from "../ui/names.ts";
import { commas, dots, link, showFirst } from "../ui/parts.ts";
import { histogram, ratingLine, starForm } from "../ui/stars.ts";
import { webLink, section } from "../ui/values.ts";
import { type Words, percentage, t } from "../ui/words.ts";
import { type PageReader, editLink } from "./record-page.ts";
import { publisherPageKeyOf } from "../../search/present/subjects.ts";
import { nameAddressOf } from "../search/result-parts.ts";
import { factList } from "../ui/facts.ts";

const COVER_WIDTH = 240;

interface BookLayout {
  title: string;
  lang: string | undefined;
  authors: readonly CatalogRecord[];
  cover: number | undefined;
  subtitle: string | undefined;
  /** Text beside the names, such as the year. */
  since?: Piece;
  actions: Piece;
  main: Piece;
  aside: Piece;
  row: RecordRow;
  box: Piece;
}

export function bookLayout(book: BookLayout): Markup {
  const { row, title, lang, authors, cover: id, subtitle, since, actions, main, aside, box } = book;
  const names = authors.length > 0 && t("book.by", { authors: commas(authors.map(recordLink)) });
  const by = dots([names, since]);
  const picture = cover({
    key: row.key,
    title,
    id,
    by: nameOfFirst(authors),
    width: COVER_WIDTH,
    isFirst: true,
    ...(id !== undefined && { href: pictureAddress("b", id, "L") }),
  });
  return markup`<div class="book"><div class="side">${picture}${actions}</div>
<div><h1${langAttribute(lang)} dir="auto">${title}</h1>${(subtitle ?? "") !== "" && markup`<p class="lines"${langAttribute(lang)} dir="auto">${subtitle}</p>`}
${by !== undefined && markup`<p class="by">${by}</p>`}
${main}</div>
<aside aria-label="${t("book.facts")}">${aside}${box}
<p>${dots([editLink(row), link(`${addressOf(row.key)}?m=history`, t("record.history_link"))])}</p></aside></div>`;
}

function nameOfFirst([author]: readonly CatalogRecord[]): string | undefined {
  const name = author?.["name"];
  return typeof name === "string" ? name : undefined;
}

const READER_COUNTS: Readonly<Record<(typeof SHELVES)[number]["id"], Words>> = {
  1: "readers.want",
  2: "readers.reading",
  3: "readers.read",
  4: "readers.stopped",
};

export function readerCounts(counts: WorkCounts): Markup {
  const ratings = { average: averageRatingOf(counts.ratings), counts: counts.ratings };
  const shelves = SHELVES.filter(({ member }) => counts[member] > 0).map(({ id, member }) =>
    t(READER_COUNTS[id], { count: counts[member] }),
  );
  const line = markup`<p>${dots([ratingLine(ratings), ...shelves])}</p>`;
  if (countRatings(counts.ratings) === 0) return line;
  return markup`${line}<details><summary>${t("stars.histogram")}</summary>${histogram(ratings)}</details>`;
}

export function patronActions(key: string, title: string, { username, workState }: PageReader): Markup {
  const button = dropper({ key, title, shelf: workState?.shelf ?? null });
  if (username === undefined) return button;
  const person = `/people/${encodeURIComponent(username)}`;
  return markup`${button}${starForm({ key, title, stars: workState?.stars ?? null })}
<a class="button" href="${person}/lists/add?${String(new URLSearchParams({ seeds: key }))}">${t("dropper.list")}</a>
${link(`${person}/books/notes?work=${key.slice("/works/".length)}`, t("readers.notes"))}
${typeof workState?.progress === "number" && markup`<p class="small">${t("sync.progress", { percent: percentage(workState.progress) })}</p>`}`;
}

/** Publishers, languages and ways to read in the row of an edition. */
export const ROW_VALUES_MAX = 10;

/** Renders the description of a book; `codes` are those of its languages. */
export function description(record: CatalogRecord, codes: readonly string[]): Markup | undefined {
  const text = textOf(record["description"]) ?? "";
  const content = richText(text);
  const lang = langAttribute(textLanguageOf(text, codes));
  return content === undefined ? undefined : markup`<div class="text"${lang}>${content}</div>`;
}

export function firstSentence(record: CatalogRecord, codes: readonly string[]): Markup | undefined {
  const text = textOf(record["first_sentence"]) ?? "";
  const content = richText(text);
  const lang = langAttribute(textLanguageOf(text, codes));
  return content === undefined ? undefined : markup`<blockquote${lang}>${content}</blockquote>`;
}

export function waysList(ways: readonly Piece[]): Markup {
  return markup`<div class="ways">${ways.slice(0, ROW_VALUES_MAX).map((way) => markup`<div>${way}</div>`)}</div>`;
}

export function webLinks({ links }: CatalogRecord): Piece[] {
  return objectsOf(links).flatMap((entry) => {
    const url = textOf(entry["url"]) ?? "";
    const title = textOf(entry["title"]) ?? "";
    return url === "" ? [] : [webLink(url, title === "" ? url : title)];
  });
}

export function rowText(value: Json | undefined): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : shortText(text);
}

const IDENTIFIER_MEMBERS: readonly (readonly [member: string, words: Words])[] = [
  ["isbn_10", "identifier.isbn_10"],
  ["isbn_13", "identifier.isbn_13"],
  ["lccn", "search.lccn"],
  ["oclc_numbers", "search.oclc"],
  ["ocaid", "identifier.ocaid"],
  ["lc_classifications", "identifier.lc_class"],
  ["dewey_decimal_class", "identifier.dewey"],
  ["dewey_number", "identifier.dewey"],
];

/** URLs of the pages about an identifier, by its name; the identifier is appended. */
const IDENTIFIER_URLS: ReadonlyMap<string, string> = new Map([
  ["amazon", "https://www.amazon.com/dp/"],
  ["dnb", "https://d-nb.info/"],
  ["doi", "https://doi.org/"],
  ["goodreads", "https://www.goodreads.com/book/show/"],
  ["google", "https://books.google.com/books?id="],
  ["imdb", "https://www.imdb.com/name/"],
  ["isni", "https://isni.org/isni/"],
  ["lc_naf", "https://id.loc.gov/authorities/names/"],
  ["lccn", "https://lccn.loc.gov/"],
  ["librarything", "https://www.librarything.com/work/"],
  ["librivox", "https://librivox.org/"],
  ["musicbrainz", "https://musicbrainz.org/artist/"],
  ["ocaid", "https://archive.org/details/"],
  ["oclc_numbers", "https://search.worldcat.org/title/"],
  ["project_gutenberg", "https://www.gutenberg.org/ebooks/"],
  ["standard_ebooks", "https://standardebooks.org/ebooks/"],
  ["storygraph", "https://app.thestorygraph.com/books/"],
  ["viaf", "https://viaf.org/viaf/"],
  ["wikidata", "https://www.wikidata.org/wiki/"],
]);

export function identifierList(record: CatalogRecord): Markup | undefined {
  const members = IDENTIFIER_MEMBERS.map(([member, words]) => [member, t(words), record[member]] as const);
  const named = ["identifiers", "classifications", "remote_ids"].flatMap((member) => {
    const values = record[member];
    if (!isObject(values)) return [];
    return Object.entries(values).map(([name, value]) => [name, name.replaceAll("_", " "), value] as const);
  });
  const entries = [...members, ...named].map(([name, text, value]): [Piece, Piece] => [
    text,
    commas(
      stringsOf(value)
        .filter((identifier) => identifier !== "")
        .map((identifier) => identifierLink(name, identifier)),
    ),
  ]);
  return section(t("identifier.heading"), factList(entries));
}

function identifierLink(name: string, value: string): Piece {
  if (name.startsWith("isbn_")) return link(`/isbn/${encodeURIComponent(value.toWellFormed())}`, value);
  const prefix = IDENTIFIER_URLS.get(name);
  return prefix === undefined
    ? value
    : webLink(prefix + encodeURI(normalizeNumber(name, value.toWellFormed())), value);
}

export function publisherLinks(record: CatalogRecord, count = Number.POSITIVE_INFINITY): Markup | undefined {
  const names = stringsOf(record["publishers"]).filter((name) => name.trim() !== "");
  return commas(
    showFirst(names, count, (name) =>
      name.length > SHOWN_TEXT_MAX ? shortText(name) : link(nameAddressOf(publisherPageKeyOf(name)), name),
    ),
  );
}

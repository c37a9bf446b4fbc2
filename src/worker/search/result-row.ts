import { stringsOf, textOf } from "../../catalog/record.ts";
import type { Document } from "../../search/engine.ts";
import { type FoundWork, workAddressOf } from "../../search/present/works.ts";
import { type ShownBook, bookRow, editionsLine } from "../ui/book-row.ts";
import { pictureId } from "../ui/cover.ts";
import { dropper } from "../ui/dropper.ts";
import { type Markup, type Piece, markup, shortText } from "../ui/markup.ts";
import { commas, dots, link } from "../ui/parts.ts";
import { type Words, t } from "../ui/words.ts";
import type { ResultsPage } from "./find-page.ts";

const ACCESS: ReadonlyMap<string, Words> = new Map([
  ["public", "lending.free"],
  ["borrowable", "lending.borrowable"],
  ["printdisabled", "lending.print_disabled"],
]);

const FIRST_ROWS = 4;

/** Makes the row of a work that a search found: first publication, series, and the edition that fits best. */
export function resultRow(work: FoundWork, at: number, { languages, firstDates }: ResultsPage): Markup {
  const { document, chosen } = work;
  const book = toShownBook(document);
  const notes = [
    publicationNotes(document, firstDates.get(book.key)),
    seriesLine(document),
    chosen?.edition !== undefined && editionLine(chosen.edition, work, languages),
  ];
  const isWork = book.key.startsWith("/works/") && book.href === book.key;
  return bookRow(book, { notes, isFirst: at < FIRST_ROWS, ...(isWork && { action: dropper(book) }) });
}

export function toShownBook(document: Document): ShownBook {
  const names = stringsOf(document["author_name"]);
  const key = textOf(document["key"]) ?? "";
  return {
    key,
    href: workAddressOf(key),
    title: titleOf(document),
    authors: stringsOf(document["author_key"]).map((olid, at) => ({
      href: `/authors/${olid}`,
      name: names[at] ?? olid,
    })),
    cover: pictureId(document["cover_i"]),
  };
}

function titleOf(document: Document): string {
  const [title = "", subtitle] = [textOf(document["title"]), textOf(document["subtitle"])];
  const main = title === "" || title === "__None__" ? "Untitled" : title;
  return shortText(subtitle === undefined || subtitle === "" ? main : `${main}: ${subtitle}`);
}

/** Lists first publication, editions and access. The date of the record takes precedence over the years of editions. */
function publicationNotes(document: Document, firstDate: string | undefined): Piece {
  const { first_publish_year: year, edition_count: editions, ebook_access: access } = document;
  const words = ACCESS.get(textOf(access) ?? "");
  return dots([
    firstDate !== undefined && shortText(firstDate),
    editionsLine(
      typeof editions === "number" ? editions : undefined,
      typeof year === "number" && firstDate === undefined ? year : undefined,
    ),
    words !== undefined && t(words),
  ]);
}

function seriesLine(document: Document): Piece {
  const names = stringsOf(document["series_name"]);
  const positions = stringsOf(document["series_position"]);
  const series = stringsOf(document["series_key"]).map((olid, at) => {
    const name = markup`<a href="/series/${olid}"><bdi>${shortText(names[at] ?? olid)}</bdi></a>`;
    const position = positions[at] ?? "";
    return position === "" ? name : markup`${name}, ${position}`;
  });
  if (series.length === 0) return undefined;
  return t("book.series", { series: series.map((entry, at) => [at > 0 && "; ", entry]) });
}

function editionLine(
  edition: Document,
  { document, chosen }: FoundWork,
  languages: ReadonlyMap<string, string>,
): Piece {
  const notes = [
    ...stringsOf(edition["language"]).map((code) => languages.get(code) ?? code),
    ...stringsOf(edition["publisher"]).slice(0, 1),
    ...stringsOf(edition["publish_date"]).slice(0, 1),
  ].map((note) => markup`<bdi>${shortText(note)}</bdi>`);
  const [address, matches] = [textOf(edition["key"]) ?? "", chosen?.numFound ?? 0];
  // The title of the only edition is usually that of the work, a line above.
  if (document["edition_count"] === 1 && titleOf(edition) === titleOf(document)) {
    return notes.length > 0 && link(address, commas(notes));
  }
  const title = link(address, markup`<cite dir="auto">${titleOf(edition)}</cite>`);
  return markup`${t("search.edition", { edition: title })}${notes.length > 0 && markup` (${commas(notes)})`}${
    matches > 1 && t("search.fitting", { count: matches })
  }`;
}

import { stringsOf, textOf } from "../../catalog/record.ts";
import { textLanguageOf } from "../../catalog/title-language.ts";
import type { Document } from "../../search/engine.ts";
import type { FoundWork } from "../../search/present/works.ts";
import { bookRow, editionsLine } from "../ui/book-row.ts";
import { dropper } from "../ui/dropper.ts";
import { type Markup, type Piece, langAttribute, markup, shortText } from "../ui/markup.ts";
import { commas, dots, link } from "../ui/parts.ts";
import { t } from "../ui/words.ts";
import type { ResultsPage } from "./find-page.ts";
import { shownTitleOf, toShownBook } from "./shown-book.ts";
import { accessNote } from "./result-parts.ts";

const FIRST_ROWS = 4;

/** Makes the row of a work that a search found: first publication, series, and the edition that fits best. */
export function resultRow(
  work: FoundWork,
  at: number,
  { languages, origins, openable }: ResultsPage,
): Markup {
  const { document, chosen } = work;
  const shown = toShownBook(document);
  const origin = origins.get(shown.key);
  const { edition } = chosen ?? {};
  // The language of the edition with the title of the work, or else the original one.
  const isAlike = edition !== undefined && shownTitleOf(edition) === shown.title;
  const codes = isAlike ? stringsOf(edition["language"]) : (origin?.languages ?? []);
  const book = { ...shown, lang: shown.lang ?? textLanguageOf(shown.title, codes) };
  const notes = [
    dots([publicationNotes(document, origin?.date), accessNote(document, openable)]),
    seriesLine(document),
    edition !== undefined && editionLine(edition, work, languages),
  ];
  const isWork = book.key.startsWith("/works/") && book.href === book.key;
  return bookRow(book, { notes, isFirst: at < FIRST_ROWS, ...(isWork && { action: dropper(book) }) });
}

/** Lists first publication and editions. The date of the record takes precedence over the years of editions. */
function publicationNotes(document: Document, firstDate: string | undefined): Piece {
  const { first_publish_year: year, edition_count: editions } = document;
  return dots([
    firstDate !== undefined && shortText(firstDate),
    editionsLine(
      typeof editions === "number" ? editions : undefined,
      typeof year === "number" && firstDate === undefined ? year : undefined,
    ),
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
  if (document["edition_count"] === 1 && shownTitleOf(edition) === shownTitleOf(document)) {
    return notes.length > 0 && link(address, commas(notes));
  }
  const name = shownTitleOf(edition);
  const lang = langAttribute(textLanguageOf(name, stringsOf(edition["language"])));
  const title = link(address, markup`<cite${lang} dir="auto">${name}</cite>`);
  return markup`${t("search.edition", { edition: title })}${notes.length > 0 && markup` (${commas(notes)})`}${
    matches > 1 && t("search.fitting", { count: matches })
  }`;
}

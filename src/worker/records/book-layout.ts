import type { CatalogRecord } from "../../catalog/record.ts";
import type { RecordRow } from "../../db/records/record-rows.ts";
import { pictureAddress, cover } from "../ui/cover.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { recordLink } from "../ui/names.ts";
import { commas, dots, link } from "../ui/parts.ts";
import { say } from "../ui/words.ts";
import { editLink } from "./record-page.ts";

/** Width of the cover of a book's page, in CSS pixels. */
const COVER_WIDTH = 240;

interface BookLayout {
  readonly title: string;
  readonly authors: readonly CatalogRecord[];
  readonly cover: number | undefined;
  /** Text below the names. */
  readonly subtitle?: Piece;
  /** Text beside the names, such as the year. */
  readonly since?: Piece;
  /** Actions below the cover. */
  readonly actions: Piece;
  readonly main: Piece;
  /** Facts, at the side if there is room. */
  readonly aside: Piece;
  readonly row: RecordRow;
  /** Citation and sharing. */
  readonly box: Piece;
}

/** Lays out the page of a book: its cover and actions, its main text, and the facts. */
export function bookLayout(book: BookLayout): Markup {
  const { row, title, authors, cover: id, subtitle, since, actions, main, aside, box } = book;
  const names = authors.length > 0 && say("book.by", { authors: commas(authors.map(recordLink)) });
  const by = dots([names, since]);
  const href = id === undefined ? undefined : pictureAddress("b", id, "L");
  const shown = cover({
    key: row.key,
    title,
    id,
    by: nameOfFirst(authors),
    width: COVER_WIDTH,
    isFirst: true,
    ...(href !== undefined && { href }),
  });
  return markup`<div class="book"><div class="side">${shown}${actions}</div>
<div><h1 dir="auto">${title}</h1>${subtitle}
${by !== undefined && markup`<p class="by">${by}</p>`}
${main}</div>
<aside aria-label="${say("book.facts")}">${aside}${box}
<p>${dots([editLink(row), link(`${addressOf(row.key)}?m=history`, say("record.history_link"))])}</p></aside></div>`;
}

function nameOfFirst([author]: readonly CatalogRecord[]): string | undefined {
  const name = author?.["name"];
  return typeof name === "string" ? name : undefined;
}

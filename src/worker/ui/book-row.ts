import { cover } from "./cover.ts";
import { type Markup, type Piece, langAttribute, markup, shortText } from "./markup.ts";
import { showFirst, commas, link } from "./parts.ts";
import { t } from "./words.ts";

export interface ShownBook {
  /** Key, which decides the colour of a missing cover. */
  readonly key: string;
  readonly href: string;
  readonly title: string;
  /** Authors, with links to their pages if they are known. */
  readonly authors?: readonly { readonly name: string; readonly href?: string }[];
  readonly cover: number | undefined;
  /** `a` for a picture of an author; `b`, a cover, by default. */
  readonly of?: "a" | "b";
  /** Language of the title (BCP 47), if known. */
  readonly lang?: string | undefined;
}

interface Row {
  notes?: readonly Piece[];
  more?: Piece;
  action?: Piece;
  isFirst?: boolean;
}

const LISTED_AUTHORS_MAX = 50;

/** Width of the covers of rows, in CSS pixels. */
const ROW_WIDTH = 80;

/** Makes a list of books; `start` is the number of the first one. */
export function bookRows(rows: readonly Markup[], start = 1): Markup {
  return markup`<ol class="res" start="${start}">${rows}</ol>`;
}

export function bookRow(book: ShownBook, { notes = [], more, action, isFirst }: Row = {}): Markup {
  const lines = notes.filter((note) => note !== undefined && note !== null && note !== false && note !== "");
  return markup`<li>${cover({ ...coverOfBook(book), width: ROW_WIDTH, ...(isFirst === true && { isFirst }) })}
<div>${bookTitle(book)}${authorsLine(book)}${lines.map((line) => markup`<p class="soft small" dir="auto">${line}</p>`)}${more}</div>
${action !== undefined && markup`<div class="act">${action}</div>`}</li>`;
}

/** Writes the number of editions of a work and the year of the first one; the work itself can be older. */
export function editionsLine(count: number | undefined, year: number | undefined): Markup | undefined {
  if (count === undefined) return year === undefined ? undefined : t("book.since", { year: String(year) });
  if (year === undefined || count === 0) return t("book.editions", { count });
  return t("book.editions_since", { count, year: String(year) });
}

export function coverOfBook({ key, href, title, authors = [], cover: id, of = "b" }: ShownBook) {
  return { key, href, title, by: authors[0]?.name, id, of };
}

function bookTitle({ href, title, lang }: ShownBook): Markup {
  return markup`<p class="title"><a href="${href}"><cite${langAttribute(lang)} dir="auto">${shortText(title)}</cite></a></p>`;
}

export function authorsLine({ authors = [] }: Pick<ShownBook, "authors">): Markup | undefined {
  if (authors.length === 0) return undefined;
  const names = showFirst(authors, LISTED_AUTHORS_MAX, ({ name, href }) => {
    const text = markup`<bdi>${shortText(name)}</bdi>`;
    return href === undefined ? text : link(href, text);
  });
  return markup`<p class="by">${t("book.by", { authors: commas(names) })}</p>`;
}

const COVER_WIDTHS = { shelf: 120, grid: 136 } as const;

/** Makes books side by side: a row that scrolls sideways, or a grid. */
export function bookShelf(books: readonly ShownBook[], kind: keyof typeof COVER_WIDTHS = "shelf"): Markup {
  return markup`<ul class="${kind}">${books.map((book, at) => spine(book, { width: COVER_WIDTHS[kind], isFirst: at < 4 }))}</ul>`;
}

export function grid(books: readonly (readonly [book: ShownBook, below: Piece])[]): Markup {
  return markup`<ul class="grid">${books.map(([book, below], at) => spine(book, { width: COVER_WIDTHS.grid, isFirst: at < 4, below }))}</ul>`;
}

function spine(
  book: ShownBook,
  { below, ...image }: { width: number; isFirst: boolean; below?: Piece },
): Markup {
  return markup`<li>${cover({ ...coverOfBook(book), ...image })}
<a class="cap" href="${book.href}" dir="auto"><cite${langAttribute(book.lang)}>${shortText(book.title)}</cite></a>${below}</li>`;
}

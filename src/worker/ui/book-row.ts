import { cover } from "./cover.ts";
import { type Markup, type Piece, markup, shortText } from "./markup.ts";
import { firstOf, commas, link } from "./parts.ts";
import { say } from "./words.ts";

/** A book in a list or on a shelf. */
export interface Book {
  /** Decides the colour of the cloth. */
  readonly key: string;
  readonly href: string;
  readonly title: string;
  /** Each leads to its author, where it is known which one. */
  readonly authors?: readonly { readonly name: string; readonly href?: string }[];
  /** Number of the cover. */
  readonly cover: number | undefined;
  /** What the picture is of, where it is no book. */
  readonly of?: "a" | "b";
  /** Language of the title (BCP 47), where it is known. */
  readonly lang?: string;
}

/** What a row says besides. */
interface Row {
  /** What is to be known of it, line by line. */
  readonly notes?: readonly Piece[];
  /** What stands below that. */
  readonly more?: Piece;
  /** What can be done with it. */
  readonly action?: Piece;
  /** It is seen at once. */
  readonly isFirst?: boolean;
}

/** Authors of one book that a list names. */
const LISTED_AUTHORS_MAX = 50;

/** Width of the covers of rows, in CSS pixels. */
const ROW_WIDTH = 80;

/** Books below each other; `start` is the number of the first one. */
export function bookRows(rows: readonly Markup[], start = 1): Markup {
  return markup`<ol class="res" start="${start}">${rows}</ol>`;
}

/** A book with its cover, what is to be known of it, and what can be done with it. */
export function bookRow(book: Book, { notes = [], more, action, isFirst }: Row = {}): Markup {
  const lines = notes.filter((note) => note !== undefined && note !== null && note !== false && note !== "");
  return markup`<li>${cover({ ...pictured(book), width: ROW_WIDTH, ...(isFirst === true && { isFirst }) })}
<div>${bookTitle(book)}${authorsLine(book)}${lines.map((line) => markup`<p class="soft small">${line}</p>`)}${more}</div>
${action !== undefined && markup`<div class="act">${action}</div>`}</li>`;
}

/** How many editions of a work the catalog has, and since when: the work itself can be older than all of them. */
export function editionsLine(count: number | undefined, year: number | undefined): Markup | undefined {
  if (count === undefined) return year === undefined ? undefined : say("book.since", { year: String(year) });
  if (year === undefined || count === 0) return say("book.editions", { count });
  return say("book.editions_since", { count, year: String(year) });
}

/** What the cover of a book shows, and where it leads. */
export function pictured({ key, href, title, authors = [], cover: id, of = "b" }: Book) {
  return { key, href, title, by: authors[0]?.name, id, of };
}

/** The title of a book, which leads to it. */
function bookTitle({ href, title, lang }: Book): Markup {
  const language = lang !== undefined && markup` lang="${lang}"`;
  return markup`<p class="title"><a href="${href}"${language}><cite dir="auto">${shortText(title)}</cite></a></p>`;
}

/** Who has written a book, of very many the first ones; undefined where nobody is named. */
export function authorsLine({ authors = [] }: Pick<Book, "authors">): Markup | undefined {
  if (authors.length === 0) return undefined;
  const names = firstOf(authors, LISTED_AUTHORS_MAX, ({ name, href }) => {
    const text = markup`<bdi>${shortText(name)}</bdi>`;
    return href === undefined ? text : link(href, text);
  });
  return markup`<p class="by">${say("book.by", { authors: commas(names) })}</p>`;
}

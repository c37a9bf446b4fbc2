import { type Book, pictured } from "./book-row.ts";
import { cover } from "./cover.ts";
import { type Markup, type Piece, markup, shortText } from "./markup.ts";

/** Width of the covers of a shelf and of a grid, in CSS pixels. */
const WIDTH = { shelf: 120, grid: 136 } as const;

/** Books side by side: in a row that is moved sideways, or in as many rows as they need. */
export function shelf(books: readonly Book[], kind: keyof typeof WIDTH = "shelf"): Markup {
  return markup`<ul class="${kind}">${books.map((book, at) => spine(book, { width: WIDTH[kind], isFirst: at < 4 }))}</ul>`;
}

/** A grid of books that each have something below: a shelf, stars. */
export function grid(books: readonly (readonly [book: Book, below: Piece])[]): Markup {
  return markup`<ul class="grid">${books.map(([book, below], at) => spine(book, { width: WIDTH.grid, isFirst: at < 4, below }))}</ul>`;
}

function spine(
  book: Book,
  { below, ...how }: { readonly width: number; readonly isFirst: boolean; readonly below?: Piece },
): Markup {
  const lang = book.lang !== undefined && markup` lang="${book.lang}"`;
  return markup`<li>${cover({ ...pictured(book), ...how })}
<a class="cap" href="${book.href}"${lang}><cite dir="auto">${shortText(book.title)}</cite></a>${below}</li>`;
}

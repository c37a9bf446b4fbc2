import type { Reply } from "../reply.ts";
import { NAME } from "../version.ts";
import { page } from "./layout.ts";
import { type Markup, markup } from "./markup.ts";
import { link } from "./parts.ts";
import { bookTitle } from "./people/book-list.ts";
import { picture } from "./records/pictures.ts";

/** A book that is much read at present. */
export interface HomeBook {
  readonly key: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly year: number | undefined;
  /** Number of its cover. */
  readonly cover: number | undefined;
}

/** What the first page shows. */
export interface HomeView {
  readonly trending: readonly HomeBook[];
  readonly cacheControl: string;
}

const BROWSE = [
  ["/subjects", "Subjects"],
  ["/authors", "Authors"],
  ["/languages", "Languages"],
  ["/publishers", "Publishers"],
  ["/lists", "Lists and series"],
  ["/trending", "Trending books"],
  ["/random", "A book at random"],
] as const;
const SEARCH = [
  ["/advancedsearch", "Search by title, author, subject and more"],
  ["/search/authors", "Search authors"],
  ["/search/inside", "Search inside books"],
  ["/barcodescanner", "Find a book by its barcode"],
] as const;
const TAKE_PART = [
  ["/books/add", "Add a book"],
  ["/account/books", "Your books"],
  ["/account/create", "Make an account"],
  ["/recentchanges", "What others have changed"],
] as const;
const PROGRAMS = [
  ["/docs", "The interface and its description"],
  ["/data", "Dumps of the whole catalog"],
] as const;

type Links = readonly (readonly [href: string, text: string])[];

/** The first page: where to begin. */
export function homePage({ trending, cacheControl }: HomeView): Reply {
  return page({
    title: "A library catalog that everybody can edit",
    body: markup`<p>${NAME} knows books by their works, editions and authors. Look for one, keep it on your shelves, borrow it where
it was scanned, and put right what is wrong.</p>
<form role="search" aria-label="Books" action="/search"><label for="home-search">Title, author or ISBN</label>
<input id="home-search" name="q" type="search" maxlength="1000">
<p><button type="submit">Search books</button></p></form>
${nav("search", "Other ways to search", SEARCH)}
${nav("browse", "Browse", BROWSE)}
${
  trending.length > 0 &&
  markup`<h2>Much read this week</h2>
<ul class="books">${trending.map(bookItem)}</ul>`
}
${nav("take-part", "Take part", TAKE_PART)}
${nav("programs", "For programs", PROGRAMS)}`,
    cacheControl,
  });
}

function bookItem(book: HomeBook): Markup {
  return markup`<li>${picture({ of: "b", id: book.cover, size: "S", alt: "" })}${bookTitle(book)}</li>`;
}

function nav(id: string, heading: string, links: Links): Markup {
  return markup`<nav aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
<ul>${links.map(([href, text]) => markup`<li>${link(href, text)}</li>`)}</ul></nav>`;
}

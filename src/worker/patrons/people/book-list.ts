import { lastSegment } from "../../../catalog/keys.ts";
import type { OwnBook, Part } from "../../../durable/patron/pages.ts";
import type { RequestContext } from "../../http/operation.ts";
import { lastPage } from "../../http/parameters.ts";
import type { Reply } from "../../http/reply.ts";
import { authorsLine, bookTitle } from "../../ui/book-row.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { pageLinks } from "../../ui/pager.ts";
import { link } from "../../ui/parts.ts";
import { postForm, ratingForm, shelfForm } from "../../ui/shelf-forms.ts";
import { patronPage } from "./person-page.ts";
import { type ShownBook, shownBooks } from "./shown-books.ts";
import { type ShownPatron, personPath } from "./shown-patron.ts";

/** A book of a patron with what pages say of it. */
type ListedBook = OwnBook & { readonly book: ShownBook };

/** Whose books a page shows, and where that page is. */
interface ListPlace {
  readonly patron: ShownPatron;
  readonly here: string;
}

/** Books of a patron. The patron himself can move, rate and remove them; others who are logged in can take them over. */
export function bookList(books: readonly ListedBook[], place: ListPlace): Markup {
  const items = books.map((book) => bookItem(book, place));
  return bookItems(items, "No books here.");
}

/** A list of books, or what is said when there are none. */
export function bookItems(items: readonly Markup[], none: string): Markup {
  return items.length === 0 ? markup`<p>${none}</p>` : markup`<ul class="books">${items}</ul>`;
}

function bookItem(listed: ListedBook, place: ListPlace): Markup {
  const { book, created, finished } = listed;
  const { isOwn, reader } = place.patron;
  const notes = [
    created !== null && `Added ${new Date(created).toISOString().slice(0, 10)}`,
    finished !== null && `Finished ${finished}`,
  ].filter((note) => note !== false);
  return markup`<li>${bookTitle(book)}${authorsLine(book)}
${notes.length > 0 && markup`<p class="hint">${notes.join(" · ")}</p>`}
${isOwn ? ownActions(listed, place) : reader !== undefined && wantForm(book, place.here)}</li>`;
}

function ownActions({ book, shelf, stars, noted }: ListedBook, { patron, here }: ListPlace): Markup {
  const ofBook = markup`<span class="unseen"> of ${book.title}</span>`;
  const id = lastSegment(book.key);
  return markup`<div class="actions">
${shelfForm({ key: book.key, here }, { id: `shelf-${id}`, label: markup`Shelf${ofBook}`, shelf })}
${ratingForm({ key: book.key, here }, { id: `rating-${id}`, label: markup`Rating${ofBook}`, stars })}
<a href="${personPath(patron.username, `/books/notes?work=${id}`)}">${
    noted === 1 ? "Note and dates" : "Add a note or dates"
  }${ofBook}</a></div>`;
}

function wantForm(book: ShownBook, here: string): Markup {
  return markup`<div class="actions">${postForm(`${book.key}/bookshelves.json`, here, [
    markup`<input type="hidden" name="bookshelf_id" value="1"><input type="hidden" name="dont_remove" value="true">`,
    markup`<button type="submit">I want to read this<span class="unseen">: ${book.title}</span></button>`,
  ])}</div>`;
}

/** Books of a patron with what pages say of them, in their order. */
export async function listedBooks(context: RequestContext, books: readonly OwnBook[]): Promise<ListedBook[]> {
  const works = books.map(({ work }) => work);
  const shown = await shownBooks(context, works);
  return books.flatMap((own) => {
    const book = shown.get(own.work);
    return book === undefined ? [] : [{ ...own, book }];
  });
}

/** A page of books in their order. */
interface BookPageView {
  readonly patron: ShownPatron;
  readonly title: string;
  readonly part: Part<OwnBook>;
  /** The address of the first page. */
  readonly path: string;
  /** What they are searched for; absent where they cannot be searched. */
  readonly q?: string;
  readonly more?: Markup;
}

/** A page of a shelf, or of another row of books. */
export async function bookPage(context: RequestContext, view: BookPageView): Promise<Reply> {
  const { patron, title, path, q, more } = view;
  const { page, total, entries } = view.part;
  const last = lastPage(total);
  const books = await listedBooks(context, entries);
  const body = markup`${q !== undefined && searchForm(path, q)}
<p>${total} ${total === 1 ? "book" : "books"}${last > 1 && `, page ${page} of ${last}`}</p>
${bookList(books, { patron, here: numbered(path, page, q) })}
${numberedLinks(path, { page, last }, q)}
${more}`;
  return patronPage(patron, { title, body });
}

function searchForm(path: string, q: string): Markup {
  return markup`<form method="get" action="${path}" role="search"><div class="actions">
<label for="q">Search these books</label><input id="q" name="q" type="search" value="${q}" maxlength="100">
<button type="submit">Search</button></div></form>
${q !== "" && markup`<p>${link(path, "All books of this shelf")}</p>`}`;
}

/** Links to the pages before and after one. */
export function numberedLinks(
  path: string,
  { page, last }: { readonly page: number; readonly last: number },
  q?: string,
): Markup | undefined {
  return pageLinks(
    page > 1 ? numbered(path, page - 1, q) : undefined,
    page < last ? numbered(path, page + 1, q) : undefined,
  );
}

/** The address of a page of something, and of what was searched for there. */
export function numbered(path: string, page: number, q = ""): string {
  const query = new URLSearchParams(q === "" ? {} : { q });
  if (page > 1) query.set("page", String(page));
  return query.size === 0 ? path : `${path}?${query}`;
}

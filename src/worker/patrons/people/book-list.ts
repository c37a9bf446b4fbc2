import { lastSegment } from "../../../catalog/keys.ts";
import type { OwnBook, Part } from "../../../durable/patron/pages.ts";
import type { RequestContext } from "../../http/operation.ts";
import { lastPage } from "../../http/parameters.ts";
import { dropper } from "../../ui/dropper.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../../ui/pager.ts";
import { dots } from "../../ui/parts.ts";
import { grid } from "../../ui/book-row.ts";
import { starForm } from "../../ui/stars.ts";
import { say } from "../../ui/words.ts";
import { type ShownBook, shownBooks } from "./shown-books.ts";
import { type ShownPatron, personPath } from "./shown-patron.ts";

/** Book of a patron with its data for pages. */
export interface Listed extends OwnBook {
  readonly book: ShownBook;
}

/** Adds the data for pages to books of a patron, in their order. Unknown works are left out. */
export async function listedBooks(context: RequestContext, books: readonly OwnBook[]): Promise<Listed[]> {
  const shown = await shownBooks(
    context,
    books.map(({ work }) => work),
  );
  return books.flatMap((own) => {
    const book = shown.get(own.work);
    return book === undefined ? [] : [{ ...own, book }];
  });
}

/**
 * Renders books of a patron as covers. The patron can rate and move them; other readers can put them onto their own
 * shelves.
 */
export function bookGrid(books: readonly Listed[], patron: ShownPatron): Markup {
  return books.length === 0
    ? markup`<p>${say("my.none")}</p>`
    : grid(books.map((listed) => [listed.book, below(listed, patron)]));
}

function below({ book, finished, stars, noted, shelf }: Listed, { isOwn }: ShownPatron): Piece {
  const { key, title, authors = [] } = book;
  const notes = dots([
    authors[0] !== undefined && markup`<bdi>${authors[0].name}</bdi>`,
    book.isDeleted && say("my.deleted"),
    finished !== null && say("my.finished", { date: markup`<bdi>${finished}</bdi>` }),
    isOwn && noted === 1 && say("my.noted"),
  ]);
  return markup`<div class="small soft">${notes}</div>${isOwn && starForm({ key, title, stars })}${dropper({ key, title, ...(isOwn && { shelf }) })}`;
}

/** Returns the path of a patron's page about one book. */
export function ownBookPath(username: string, key: string): string {
  return personPath(username, `/books/notes?work=${lastSegment(key)}`);
}

/** Renders a list of books, or `none` if it is empty. */
export function bookItems(items: readonly Markup[], none: Piece): Markup {
  return items.length === 0 ? markup`<p>${none}</p>` : markup`<ol class="res">${items}</ol>`;
}

/** Renders the number of books and the page number. */
export function countLine({ total, page }: Pick<Part<unknown>, "total" | "page">): Markup {
  const last = lastPage(total);
  return markup`<p>${say("search.books", { count: total })}${last > 1 && say("pager.page", { page, last })}</p>`;
}

/** Renders links to the previous and next page; `parameters` are kept in both. */
export function numberedLinks(
  path: string,
  { page, last }: { readonly page: number; readonly last: number },
  parameters: Readonly<Record<string, string>> = {},
): Markup | undefined {
  const to = (number: number): string =>
    withParameters(path, { ...parameters, page: number === 1 ? "" : String(number) });
  return pageLinks(page > 1 ? to(page - 1) : undefined, page < last ? to(page + 1) : undefined, PAGE_TURNS);
}

/** Returns an address with the non-empty parameters. */
function withParameters(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""));
  return query.size === 0 ? path : `${path}?${query}`;
}

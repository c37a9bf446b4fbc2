import { lastSegment } from "../../../catalog/keys.ts";
import type { ListPage, OwnBook } from "../../../durable/patron/pages.ts";
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
import { type PatronView, personPath } from "./patron-page.ts";

export interface ListedBook extends OwnBook {
  readonly book: ShownBook;
}

export async function listBooks(context: RequestContext, books: readonly OwnBook[]): Promise<ListedBook[]> {
  const views = await shownBooks(
    context,
    books.map(({ work }) => work),
  );
  return books.flatMap((ownBook) => {
    const book = views.get(ownBook.work);
    return book === undefined ? [] : [{ ...ownBook, book }];
  });
}

export function bookGrid(books: readonly ListedBook[], patron: PatronView): Markup {
  return books.length === 0
    ? markup`<p>${say("my.none")}</p>`
    : grid(books.map((listed) => [listed.book, bookFooter(listed, patron)]));
}

function bookFooter({ book, finished, stars, noted, shelf }: ListedBook, { isOwn }: PatronView): Piece {
  const { key, title, authors = [] } = book;
  const notes = dots([
    authors[0] !== undefined && markup`<bdi>${authors[0].name}</bdi>`,
    book.isDeleted && say("my.deleted"),
    finished !== null && say("my.finished", { date: markup`<bdi>${finished}</bdi>` }),
    isOwn && noted === 1 && say("my.noted"),
  ]);
  return markup`<div class="small soft">${notes}</div>${isOwn && starForm({ key, title, stars })}${dropper({ key, title, ...(isOwn && { shelf }) })}`;
}

export function ownBookPath(username: string, key: string): string {
  return personPath(username, `/books/notes?work=${lastSegment(key)}`);
}

export function bookItems(items: readonly Markup[], none: Piece): Markup {
  return items.length === 0 ? markup`<p>${none}</p>` : markup`<ol class="res">${items}</ol>`;
}

export function countLine({ total, page }: Pick<ListPage<unknown>, "total" | "page">): Markup {
  const last = lastPage(total);
  return markup`<p>${say("search.books", { count: total })}${last > 1 && say("pager.page", { page, last })}</p>`;
}

export function numberedLinks(
  path: string,
  { page, last }: { page: number; last: number },
  parameters: Readonly<Record<string, string>> = {},
): Markup | undefined {
  const to = (number: number): string => {
    const all = { ...parameters, page: number === 1 ? "" : String(number) };
    const query = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ""));
    return query.size === 0 ? path : `${path}?${query}`;
  };
  return pageLinks(page > 1 ? to(page - 1) : undefined, page < last ? to(page + 1) : undefined, PAGE_TURNS);
}

import { latestRecordOf } from "../../../catalog/document.ts";
import { lastSegmentOf } from "../../../catalog/keys.ts";
import { stringsOf } from "../../../catalog/record.ts";
import { textLanguageOf } from "../../../catalog/title-language.ts";
import { readRecords } from "../../../db/records/records.ts";
import type { ListPage, OwnBook } from "../../../durable/patron/pages.ts";
import type { Document } from "../../../search/engine.ts";
import { workAddressOf } from "../../../search/present/works.ts";
import { type RequestContext, catalogReader } from "../../http/operation.ts";
import { engineOf } from "../../search/engine.ts";
import { workKey } from "../reading/own-data.ts";
import { lastPage } from "../../http/parameters.ts";
import { type ShownBook, grid } from "../../ui/book-row.ts";
import { pictureId } from "../../ui/cover.ts";
import { dropper } from "../../ui/dropper.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../../ui/pager.ts";
import { dots } from "../../ui/parts.ts";
import { starForm } from "../../ui/stars.ts";
import { t } from "../../ui/words.ts";
import { type PatronView, personPath } from "./patron-page.ts";

export interface BookView extends ShownBook {
  readonly year: number | undefined;
  readonly isDeleted: boolean;
}

/** Index fields that `toBookView` reads besides the key. */
export const BOOK_VIEW_FIELDS = [
  "title",
  "author_key",
  "author_name",
  "first_publish_year",
  "cover_i",
  "language",
];

/**
 * Reads data of works for pages, by the numbers of their keys: from the search index, or the catalog for works that the
 * index lacks. Every number has an entry. One round trip, and one more if the index lacks works.
 */
export async function readBookViews(
  context: RequestContext,
  works: readonly number[],
): Promise<ReadonlyMap<number, BookView>> {
  const keys = new Map(works.map((work) => [workKey(context, work), work]));
  const engine = await engineOf(context);
  const documents = await engine.getMany([...keys.keys()], BOOK_VIEW_FIELDS);
  const books = new Map<number, BookView>();
  for (const document of documents) {
    const work = keys.get(String(document["key"]));
    if (work !== undefined) books.set(work, toBookView(document));
  }
  const missing = [...keys].filter(([, work]) => !books.has(work));
  if (missing.length === 0) return books;
  const records = await readRecords(
    catalogReader(context),
    missing.map(([key]) => key),
  );
  const rows = new Map(records.map((row) => [row.key, row]));
  for (const [key, work] of missing) {
    const row = rows.get(key);
    const isDeleted = row?.type === "/type/delete";
    // A deleted work has no title to show; a merged one redirects to another work.
    const title = row === undefined || isDeleted ? undefined : latestRecordOf(row)["title"];
    const text = typeof title === "string" && title !== "" ? title : lastSegmentOf(key);
    books.set(work, { key, href: key, title: text, cover: undefined, year: undefined, isDeleted });
  }
  return books;
}

export function toBookView(document: Document): BookView {
  const { key, title, first_publish_year: year, cover_i: cover } = document;
  const numbers = stringsOf(document["author_key"]);
  const href = workAddressOf(String(key));
  const text = typeof title === "string" && title !== "" ? title : lastSegmentOf(String(key));
  return {
    key: String(key),
    href,
    title: text,
    lang: textLanguageOf(text, stringsOf(document["language"])),
    authors: stringsOf(document["author_name"]).map((name, at) => {
      const olid = numbers[at];
      return olid === undefined ? { name } : { name, href: `/authors/${olid}` };
    }),
    cover: pictureId(cover),
    year: typeof year === "number" ? year : undefined,
    isDeleted: false,
  };
}

export type ListedBook = OwnBook & { readonly book: BookView };

/** Adds the books of works to rows, like `readBookViews`. */
export async function listBooks<Row extends { readonly work: number }>(
  context: RequestContext,
  rows: readonly Row[],
): Promise<(Row & { readonly book: BookView })[]> {
  const works = rows.map(({ work }) => work);
  const views = await readBookViews(context, works);
  return rows.flatMap((row) => {
    const book = views.get(row.work);
    return book === undefined ? [] : [{ ...row, book }];
  });
}

export function bookGrid(books: readonly ListedBook[], { isOwn }: PatronView): Markup {
  if (books.length === 0) return markup`<p>${t("my.none")}</p>`;
  return grid(
    books.map(({ book, finished, stars, noted, shelf }) => {
      const { key, title, lang, authors = [] } = book;
      const notes = dots([
        authors[0] !== undefined && markup`<bdi>${authors[0].name}</bdi>`,
        book.isDeleted && t("my.deleted"),
        finished !== null && t("my.finished", { date: markup`<bdi>${finished}</bdi>` }),
        isOwn && noted === 1 && t("my.noted"),
      ]);
      const actions = markup`${isOwn && starForm({ key, title, stars })}${dropper({ key, title, lang, ...(isOwn && { shelf }) })}`;
      return [book, markup`<div class="small soft">${notes}</div>${actions}`];
    }),
  );
}

export function ownBookPath(username: string, key: string): string {
  return personPath(username, `/books/notes?work=${lastSegmentOf(key)}`);
}

export function bookItems(items: readonly Markup[], none: Piece): Markup {
  return items.length === 0 ? markup`<p>${none}</p>` : markup`<ol class="res">${items}</ol>`;
}

export function countLine({ total, page }: Pick<ListPage<unknown>, "total" | "page">): Markup {
  const last = lastPage(total);
  return markup`<p>${t("search.books", { count: total })}${last > 1 && t("pager.page", { page, last })}</p>`;
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

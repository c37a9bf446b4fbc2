import { type ShelfId, SHELVES } from "../../../catalog/patrons/shelves.ts";
import type { Goal } from "../../../durable/patron/diary.ts";
import type { Reply } from "../../http/reply.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { link, pageLinks } from "../../ui/parts.ts";
import { postForm } from "../../ui/shelf-forms.ts";
import { type ListedBook, bookList } from "./book-list.ts";
import { patronPage } from "./person-page.ts";
import { type ShownPatron, personPath } from "./shown-patron.ts";

/** What the page of all books shows. */
interface BooksView {
  readonly patron: ShownPatron;
  readonly sizes: Readonly<Record<number, number>>;
  readonly newest: readonly ListedBook[];
  readonly year: number;
  readonly goal: Goal | null;
  readonly booksRead: number;
}

/** The page of all books of a patron: each shelf with its newest ones, and for himself how his goal is getting on. */
export function booksPage({ patron, sizes, newest, year, goal, booksRead }: BooksView): Reply {
  const { username, isOwn } = patron;
  const here = personPath(username, "/books");
  const shelves = SHELVES.map(({ id, key, name }) => {
    const size = sizes[id] ?? 0;
    const books = newest.filter(({ shelf }) => shelf === id);
    return markup`<section aria-labelledby="shelf-${key}"><h2 id="shelf-${key}">${link(`${here}/${key}`, name)} (${size})</h2>
${bookList(books, { patron, here })}
${size > books.length && markup`<p>${link(`${here}/${key}`, `All ${size}: ${name}`)}</p>`}</section>`;
  });
  const body = markup`${isOwn && goalPart({ year, goal, booksRead, here })}${shelves}
<p>${link(`${here}/already-read/year/${year}`, `Finished in ${year}`)}</p>
${isOwn && ownLinks(here)}`;
  return patronPage(patron, { title: isOwn ? "Your books" : `Books of ${username}`, body });
}

function ownLinks(here: string): Markup {
  return markup`<p>${link("/account/loans", "Your loans")} · ${link(`${here}/already-read/stats`, "Statistics")} ·
${link("/account/import", "Import and export")}</p>`;
}

function goalPart(what: Pick<BooksView, "year" | "goal" | "booksRead"> & { readonly here: string }): Markup {
  const { year, goal, booksRead, here } = what;
  const percent = goal === null ? 0 : Math.floor((booksRead / goal.target) * 100);
  return markup`<section aria-labelledby="goal-heading"><h2 id="goal-heading">Reading goal of ${year}</h2>
${
  goal === null
    ? markup`<p>You have read ${booksRead} so far, and set no goal.</p>`
    : markup`<p><progress max="${goal.target}" value="${Math.min(booksRead, goal.target)}" aria-label="Books read"></progress>
${booksRead} of ${goal.target} books read (${percent}%).</p>`
}
${postForm("/reading-goal.json", here, [
  markup`<input type="hidden" name="year" value="${year}">`,
  goal !== null && markup`<input type="hidden" name="is_update" value="1">`,
  markup`<div class="actions"><label for="goal">Books to read in ${year}</label>
<input id="goal" name="goal" type="number" min="${goal === null ? 1 : 0}" max="10000" required value="${goal?.target ?? ""}">
<button type="submit">Set goal</button></div>`,
  goal !== null && markup`<p class="hint">0 deletes the goal.</p>`,
])}</section>`;
}

/** A page of books in their order. */
interface BookPageView {
  readonly patron: ShownPatron;
  readonly title: string;
  readonly books: readonly ListedBook[];
  readonly page: number;
  readonly total: number;
  readonly size: number;
  /** The address of a page of them. */
  addressOf(page: number): string;
  /** Where they can be searched, and what they are searched for. */
  readonly search?: { readonly path: string; readonly q: string };
  readonly more?: Markup;
}

/** A page of a shelf, or of another row of books. */
export function bookPage(view: BookPageView): Reply {
  const { patron, title, books, page, total, size, search, more } = view;
  const last = Math.max(1, Math.ceil(total / size));
  const body = markup`${search !== undefined && searchForm(search)}
<p>${total} ${total === 1 ? "book" : "books"}${last > 1 && `, page ${page} of ${last}`}</p>
${bookList(books, { patron, here: view.addressOf(page) })}
${pageLinks(page > 1 ? view.addressOf(page - 1) : undefined, page < last ? view.addressOf(page + 1) : undefined)}
${more}`;
  return patronPage(patron, { title, body });
}

function searchForm({ path, q }: { readonly path: string; readonly q: string }): Markup {
  return markup`<form method="get" action="${path}" role="search"><div class="actions">
<label for="q">Search these books</label><input id="q" name="q" type="search" value="${q}" maxlength="100">
<button type="submit">Search</button></div></form>
${q !== "" && markup`<p>${link(path, "All books of this shelf")}</p>`}`;
}

/** The address of a page of something, and of what was searched for there. */
export function numbered(path: string, page: number, q = ""): string {
  const query = new URLSearchParams(q === "" ? {} : { q });
  if (page > 1) query.set("page", String(page));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** What a shelf's page offers besides its books. */
export function shelfLinks(patron: ShownPatron, shelf: ShelfId, year: number): Markup {
  const { username, isOwn } = patron;
  const key = SHELVES.find(({ id }) => id === shelf)?.key ?? "";
  const path = personPath(username, `/books/${key}`);
  return markup`${shelf === 3 && markup`<p>${link(`${path}/year/${year}`, `Finished in ${year}`)}</p>`}
${isOwn && markup`<p>${link(`${path}/stats`, "Statistics of this shelf")}</p>`}`;
}

/** A form that leads to the books finished in another year. */
export function yearForm(patron: ShownPatron, year: number): Markup {
  const path = personPath(patron.username, "/books/already-read/year");
  return markup`<nav class="pages" aria-label="Years">${link(`${path}/${year - 1}`, String(year - 1))}
${link(`${path}/${year + 1}`, String(year + 1))}</nav>
${patron.isOwn && markup`<p>${link(`${path}/${year}/stats`, `Statistics of ${year}`)}</p>`}`;
}

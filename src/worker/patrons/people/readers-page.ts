import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import type { Reply } from "../../http/reply.ts";
import { coverOfBook } from "../../ui/book-row.ts";
import { cover } from "../../ui/cover.ts";
import { SHELF_WORDS } from "../../ui/dropper.ts";
import { page } from "../../ui/layout.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { dots, link } from "../../ui/parts.ts";
import { number, t } from "../../ui/words.ts";
import type { BookView } from "./book-list.ts";
import { personPath } from "./patron-page.ts";

const COVER_WIDTH = 64;
export const LONGEST_NAME = 100;

export interface ReaderView {
  readonly username: string;
  readonly displayname: string;
  /** Number of works on each shelf, by the shelf's number. */
  readonly sizes: Readonly<Record<number, number>>;
  readonly works: readonly number[];
}

interface ReadersContent {
  readonly name: string;
  readonly books: ReadonlyMap<number, BookView>;
  readonly buttons: readonly Markup[];
  readonly cacheControl: string;
}

export function readersPage(
  readers: readonly ReaderView[],
  { name, books, buttons, cacheControl }: ReadersContent,
): Reply {
  const items = readers.map(({ username, displayname, sizes, works }, at) => {
    const shown = works.flatMap((work) => books.get(work) ?? []);
    // No link: the reader's name links to all books.
    const covers = shown.map((book) => cover({ ...coverOfBook(book), href: undefined, width: COVER_WIDTH }));
    const counts = SHELVES.flatMap(({ id }) => {
      const size = sizes[id] ?? 0;
      return size === 0 ? [] : markup`${t(SHELF_WORDS[id])} <span class="n">${number(size)}</span>`;
    });
    const heading = markup`<bdi>${displayname === "" ? username : displayname}</bdi>`;
    return markup`<li class="card"><div class="bar"><h2>${link(personPath(username), heading)}</h2>${buttons[at]}</div>
<p class="small soft">${dots(counts)}</p><div class="line">${covers}</div></li>`;
  });
  return page({
    title: t("people.title"),
    body: markup`<p>${t("people.lead")}</p>
<form class="line" action="/people"><label for="q">${t("people.name")}</label> <input id="q" name="q" type="search" value="${name}" maxlength="${LONGEST_NAME}" autocapitalize="none"> <button>${t("people.find")}</button></form>
${items.length === 0 ? markup`<p>${t("people.none")}</p>` : markup`<ul class="people">${items}</ul>`}`,
    cacheControl,
  });
}

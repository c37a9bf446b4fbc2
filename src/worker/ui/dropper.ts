import { lastSegmentOf } from "../../catalog/keys.ts";
import { type ShelfId, SHELVES } from "../../catalog/patrons/shelves.ts";
import type { BookMove } from "../http/pages/reader.ts";
import { type Markup, type Piece, forReader, langAttribute, markup } from "./markup.ts";
import { notice } from "./notice.ts";
import { t } from "./words.ts";

export const SHELF_WORDS = {
  1: "shelf.want",
  2: "shelf.reading",
  3: "shelf.read",
  4: "shelf.stopped",
} as const;

interface Shelved {
  /** `/works/OL1W` */
  key: string;
  title: string;
  /** Language of the title (BCP 47), if known. */
  lang?: string | undefined;
  /** The user's shelf of the work. If absent, it is read together with those of all works of the page. */
  shelf?: ShelfId | null;
  /** More entries of the menu, each an `<li>`. */
  more?: Piece;
}

/**
 * Makes the button that puts a work on a shelf, and the menu of the other shelves. If the work is on a shelf, its name
 * opens the menu, so that no single click moves it. All choices are buttons of one form, which needs no script. Users
 * without a session get a link to the login.
 */
export function dropper({ key, title, lang, shelf: known, more }: Shelved): Markup {
  return forReader(({ username, here, shelfOf }) => {
    const ofBook = markup`<span class="unseen"${langAttribute(lang)}> ${title}</span>`;
    if (username === undefined) {
      const login = `/account/login?${new URLSearchParams({ redirect: here })}`;
      return markup`<a class="button primary" href="${login}">${t("shelf.want")}${ofBook}</a>`;
    }
    const shelf = known === undefined ? shelfOf(key) : known;
    const others = SHELVES.filter(({ id }) => id !== (shelf ?? 1)).map(({ id }) => entry(id, shelfName(id)));
    const choices = markup`<ul>${others}${shelf !== null && entry(-1, t("shelf.remove"))}${patronLinks(key, username)}${more}</ul>`;
    const content =
      shelf === null
        ? markup`<button class="primary" name="bookshelf_id" value="1">${t("shelf.want")}${ofBook}</button>
<details class="menu"><summary class="button primary"><span class="unseen">${t("shelf.other")}${ofBook}</span></summary>
${choices}</details>`
        : markup`<details class="menu whole"><summary class="button on">✓ ${shelfName(shelf)}<span class="unseen">, ${t("shelf.other")}</span>${ofBook}</summary>
${choices}</details>`;
    return markup`<div class="dropper">${shelfForm(key, here, content)}</div>`;
  });
}

function shelfName(shelf: ShelfId): Markup {
  return t(SHELF_WORDS[shelf]);
}

export function moveNotice({ key, title, from, to, isUndo }: BookMove): Markup {
  const book = markup`<cite dir="auto">${title}</cite>`;
  if (from === to) {
    const place =
      to === null ? t("notice.on_no_shelf", { book }) : t("notice.on_shelf", { book, shelf: shelfName(to) });
    return notice("good", place);
  }
  const text = isUndo && to !== null ? t("notice.back_on_shelf", { book, shelf: shelfName(to) }) : moveText();
  const undo = markup`<button name="undo" value="true">${t("notice.undo")}<span class="unseen"> ${title}</span></button>`;
  return notice("good", text, !isUndo && forReader(({ here }) => shelfForm(key, here, undo)));

  function moveText(): Piece {
    if (to === null) return from !== null && t("notice.off_shelf", { book, shelf: shelfName(from) });
    if (from === null) return t("notice.shelved", { book, shelf: shelfName(to) });
    return t("notice.moved", { book, from: shelfName(from), to: shelfName(to) });
  }
}

function shelfForm(key: string, here: string, content: Markup): Markup {
  return markup`<form method="post" action="${key}/bookshelves.json" data-in-place>
<input type="hidden" name="redir_url" value="${here}"><input type="hidden" name="dont_remove" value="true">${content}</form>`;
}

function entry(value: number, text: Piece): Markup {
  return markup`<li><button name="bookshelf_id" value="${value}">${text}</button></li>`;
}

function patronLinks(key: string, username: string): Markup {
  const folder = `/people/${encodeURIComponent(username)}`;
  return markup`<li><a href="${folder}/books/notes?work=${lastSegmentOf(key)}">${t("dropper.own")}</a></li>
<li><a href="${folder}/lists/add?${String(new URLSearchParams({ seeds: key }))}">${t("dropper.list")}</a></li>`;
}

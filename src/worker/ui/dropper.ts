import { lastSegment } from "../../catalog/keys.ts";
import { type ShelfId, SHELVES } from "../../catalog/patrons/shelves.ts";
import { type Markup, type Piece, forReader, markup } from "./markup.ts";
import { say } from "./words.ts";

/** What the pages call the shelves. */
export const SHELF_WORDS = {
  1: "shelf.want",
  2: "shelf.reading",
  3: "shelf.read",
  4: "shelf.stopped",
} as const;

/** A work, and the shelf that it stands on for the reader, as far as that is known. */
interface Shelved {
  /** `/works/OL1W` */
  readonly key: string;
  readonly title: string;
  readonly shelf?: ShelfId | null | undefined;
  /** What else can be done with it: entries of the same menu, each an `<li>`. */
  readonly more?: Piece;
}

/**
 * The button that puts a work onto a shelf, and the menu of the others. Each is a button of one form, so that it needs
 * no script; somebody without a session is led to the login first.
 */
export function dropper(what: Shelved): Markup {
  return forReader(({ username, here }) => {
    const { key, title, shelf = null, more } = what;
    const ofBook = markup`<span class="unseen"> ${title}</span>`;
    if (username === undefined) {
      const login = `/account/login?${new URLSearchParams({ redirect: here })}`;
      return markup`<a class="button primary" href="${login}">${say("shelf.want")}${ofBook}</a>`;
    }
    const others = SHELVES.filter(({ id }) => id !== (shelf ?? 1)).map(({ id }) =>
      entry(id, say(SHELF_WORDS[id])),
    );
    const main =
      shelf === null
        ? markup`<button class="primary" name="bookshelf_id" value="1">${say("shelf.want")}${ofBook}</button>`
        : markup`<span class="button on">✓ ${say(SHELF_WORDS[shelf])}</span>`;
    return markup`<div class="dropper"><form method="post" action="${key}/bookshelves.json" data-in-place>
<input type="hidden" name="redir_url" value="${here}"><input type="hidden" name="dont_remove" value="true">${main}
<details class="menu"><summary class="button${shelf === null && " primary"}"><span class="unseen">${say("shelf.other")}${ofBook}</span></summary>
<ul>${others}${shelf !== null && entry(-1, say("shelf.remove"))}${ownPlaces(key, username)}${more}</ul></details></form></div>`;
  });
}

function entry(value: number, text: Piece): Markup {
  return markup`<li><button name="bookshelf_id" value="${value}">${text}</button></li>`;
}

/** Where the rest is that a patron can keep of a work: dates, notes, lists. */
function ownPlaces(key: string, username: string): Markup {
  const folder = `/people/${encodeURIComponent(username)}`;
  return markup`<li><a href="${folder}/books/notes?work=${lastSegment(key)}">${say("dropper.own")}</a></li>
<li><a href="${folder}/lists/add?${String(new URLSearchParams({ seeds: key }))}">${say("dropper.list")}</a></li>`;
}

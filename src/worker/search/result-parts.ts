import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { tabs } from "../ui/tabs.ts";
import { type Words, say } from "../ui/words.ts";

/** What can be searched, and where. */
const KINDS: readonly (readonly [path: string, words: Words])[] = [
  ["/search", "search.kind_books"],
  ["/search/authors", "nav.authors"],
  ["/search/subjects", "nav.subjects"],
  ["/search/lists", "nav.lists"],
  ["/search/publishers", "nav.publishers"],
  ["/search/languages", "nav.languages"],
  ["/search/inside", "search.kind_inside"],
];

/** Links to the searches for other things, with the same words. */
export function searchKinds(current: string, q: string): Markup {
  const query = q === "" ? "" : `?${new URLSearchParams({ q })}`;
  return tabs(
    say("search.kinds"),
    KINDS.map(([path, words]) => ({ href: path + query, text: say(words), isCurrent: path === current })),
  );
}

/** Which page of several is shown. */
export interface PagePlace {
  readonly page: number;
  readonly numFound: number;
  /** Rows on a page, and rows that can be paged through. */
  readonly size: number;
  readonly window: number;
  /** The address of a page. */
  addressOf(page: number): string;
}

/** The last page that can be shown. */
function lastPageOf({ numFound, size, window }: PagePlace): number {
  return Math.max(1, Math.ceil(Math.min(numFound, window) / size));
}

/** `, page 2 of 7`; nothing where all stands on one page, and beyond the last. */
export function placeText(place: PagePlace): Markup | undefined {
  const last = lastPageOf(place);
  return last > 1 && place.page <= last ? say("pager.page", { page: place.page, last }) : undefined;
}

/** Links to the pages before and after; beyond the last page one back to it. */
export function placeLinks(place: PagePlace): Piece {
  const { page, numFound, window } = place;
  const last = lastPageOf(place);
  if (page > last) return markup`<p>${link(place.addressOf(last), say("pager.beyond", { count: last }))}</p>`;
  return markup`${pageLinks(
    page > 1 ? place.addressOf(page - 1) : undefined,
    page < last ? place.addressOf(page + 1) : undefined,
    PAGE_TURNS,
  )}
${page === last && numFound > window && markup`<p>${say("pager.window", { count: window })}</p>`}`;
}

/** Where a work of the index is shown: what stands there for an edition without a work leads to that edition. */
export function workAddress(key: string): string {
  return key.endsWith("M") ? key.replace("/works/", "/books/") : key;
}

/** What people are told of a book's availability. */
export const LENDING_NOTES: ReadonlyMap<string, Words> = new Map([
  ["open", "lending.free"],
  ["borrow_available", "lending.borrowable"],
  ["borrow_unavailable", "lending.lent"],
]);

/** Where programs get what the page shows. */
export function jsonLink(address: string): Markup {
  return markup`<p>${link(address, say("layout.json"))}</p>`;
}

/** The address of the page of a subject or publisher; the colon of `person:mark_twain` stays readable. */
export function nameAddress(key: string): string {
  return addressOf(key).replaceAll("%3A", ":").replaceAll("%2C", ",");
}

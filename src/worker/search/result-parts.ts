import { type Markup, type Piece, addressOf, grouped, markup, shortText } from "../ui/markup.ts";
import { PAGE_TURNS, commas, firstOf, link, pageLinks } from "../ui/parts.ts";

/** What can be searched, and where. */
const KINDS = [
  ["/search", "Books"],
  ["/search/authors", "Authors"],
  ["/search/subjects", "Subjects"],
  ["/search/lists", "Lists"],
  ["/search/publishers", "Publishers"],
  ["/search/languages", "Languages"],
  ["/search/inside", "Inside books"],
] as const;

/** Links to the searches for other things, with the same words. */
export function searchKinds(current: string, q: string): Markup {
  const query = q === "" ? "" : `?${new URLSearchParams({ q })}`;
  return markup`<nav class="pages" aria-label="What to search">${KINDS.map(([path, text]) =>
    link(path + query, text, path === current),
  )}</nav>`;
}

/** A label and a list to choose from. */
export function choice(choices: {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly chosen: string;
}): Markup {
  const { name, label, options, chosen } = choices;
  const items = options.map(
    ([value, text]) =>
      markup`<option value="${value}"${value === chosen && markup` selected`}>${text}</option>`,
  );
  return markup`<label for="${name}">${label}</label><select id="${name}" name="${name}">${items}</select>`;
}

/** How many there are of something, with thousands set apart. */
export function counted(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
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
export function placeText(place: PagePlace): string | undefined {
  const last = lastPageOf(place);
  return last > 1 && place.page <= last ? `, page ${grouped(place.page)} of ${grouped(last)}` : undefined;
}

/** Links to the pages before and after; beyond the last page one back to it. */
export function placeLinks(place: PagePlace): Piece {
  const { page, numFound, window } = place;
  const last = lastPageOf(place);
  if (page > last)
    return markup`<p>${link(place.addressOf(last), last === 1 ? "There is one page. To it" : `There are ${grouped(last)} pages. To the last one`)}</p>`;
  return markup`${pageLinks(
    page > 1 ? place.addressOf(page - 1) : undefined,
    page < last ? place.addressOf(page + 1) : undefined,
    PAGE_TURNS,
  )}
${page === last && numFound > window && markup`<p>Only the first ${grouped(window)} can be paged through.</p>`}`;
}

/** Authors of one work that a list names. */
const LISTED_AUTHORS_MAX = 50;

/** ` by ` and the names of authors, each leading to its author; of very many the first ones. */
export function nameLinks(authors: readonly { readonly key: string; readonly name: string }[]): Piece {
  if (authors.length === 0) return undefined;
  return markup` by ${commas(firstOf(authors, LISTED_AUTHORS_MAX, ({ key, name }) => link(key, shortText(name))))}`;
}

/** Where a work of the index is shown: what stands there for an edition without a work leads to that edition. */
export function workAddress(key: string): string {
  return key.endsWith("M") ? key.replace("/works/", "/books/") : key;
}

/** What people are told of a book's availability. */
export const LENDING_NOTES: ReadonlyMap<string, string> = new Map([
  ["open", "Free to read"],
  ["borrow_available", "Can be borrowed"],
  ["borrow_unavailable", "Lent out"],
]);

/** The image of a cover beside a title. */
export function coverImage(id: unknown, title: string): Markup | undefined {
  if (typeof id !== "number" || !(id > 0)) return undefined;
  return markup`<img src="/b/id/${id}-M.jpg" alt="Cover of ${title}" width="90" loading="lazy">`;
}

/** Where programs get what the page shows. */
export function jsonLink(address: string): Markup {
  return markup`<p>${link(address, "The same as JSON")}</p>`;
}

/** The address of the page of a subject or publisher; the colon of `person:mark_twain` stays readable. */
export function nameAddress(key: string): string {
  return addressOf(key).replaceAll("%3A", ":").replaceAll("%2C", ",");
}

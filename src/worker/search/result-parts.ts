import { stringsOf, textOf } from "../../catalog/record.ts";
import { type Document, WINDOW_PLAIN_MAX } from "../../search/engine.ts";
import type { Reply } from "../http/reply.ts";
import { type OpenableScans, isOpenable } from "../lending/service/openable.ts";
import { page } from "../ui/layout.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { tabs } from "../ui/tabs.ts";
import { type Words, t } from "../ui/words.ts";

export const SEARCH_PAGE_WORKS = 20;
export const SEARCH_PAGE_NAMES = 100;
export const TARGET_PAGE_WORKS = 24;
export const INSIDE_PAGE_BOOKS = 20;

export type PageParameters = readonly (readonly [name: string, value: string])[];

/** Returns the address of a page; empty values are left out. */
export function pageAddressOf(path: string, parameters: PageParameters): string {
  const query = new URLSearchParams(
    parameters.filter(([, value]) => value !== "").map(([name, value]) => [name, value]),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

export function numberedAddressOf(path: string, parameters: PageParameters, number: number): string {
  return pageAddressOf(path, [...parameters, ["page", number === 1 ? "" : String(number)]]);
}

const KINDS: readonly (readonly [path: string, words: Words])[] = [
  ["/search", "search.kind_books"],
  ["/search/authors", "nav.authors"],
  ["/search/subjects", "nav.subjects"],
  ["/search/lists", "nav.lists"],
  ["/search/publishers", "nav.publishers"],
  ["/search/languages", "nav.languages"],
  ["/search/inside", "search.kind_inside"],
];

export function renderSearchKinds(current: string, q: string): Markup {
  const query = q === "" ? "" : `?${new URLSearchParams({ q })}`;
  return tabs(
    t("search.kinds"),
    KINDS.map(([path, words]) => ({ href: path + query, text: t(words), isCurrent: path === current })),
  );
}

export interface PagePlace {
  readonly page: number;
  readonly numFound: number;
  readonly size: number;
  readonly window: number;
  addressOf(page: number): string;
}

function lastPageOf({ numFound, size, window }: PagePlace): number {
  return Math.max(1, Math.ceil(Math.min(numFound, window) / size));
}

/** Writes `, page 2 of 7`; undefined for a single page, and beyond the last. */
export function renderPlace(place: PagePlace): Markup | undefined {
  const last = lastPageOf(place);
  return last > 1 && place.page <= last ? t("pager.page", { page: place.page, last }) : undefined;
}

/** Makes the links to the pages before and after; beyond the last page, a link back to it. */
export function renderPlaceLinks(place: PagePlace): Piece {
  const { page: number, numFound, window } = place;
  const last = lastPageOf(place);
  if (number > last) return markup`<p>${link(place.addressOf(last), t("pager.beyond", { count: last }))}</p>`;
  return markup`${pageLinks(
    number > 1 ? place.addressOf(number - 1) : undefined,
    number < last ? place.addressOf(number + 1) : undefined,
    PAGE_TURNS,
  )}
${number === last && numFound > window && markup`<p>${t("pager.window", { count: window })}</p>`}`;
}

export const WORK_SORTS: readonly (readonly [sort: string, words: Words])[] = [
  ["editions", "sort.editions"],
  ["old", "sort.old"],
  ["new", "sort.new"],
  ["title", "sort.title"],
  ["rating", "sort.rating"],
  ["readinglog", "sort.readers"],
  ["trending", "sort.trending"],
];

const LENDING_NOTES: ReadonlyMap<string, Words> = new Map([
  ["open", "lending.free"],
  ["borrow_available", "lending.borrowable"],
  ["borrow_unavailable", "lending.lent"],
]);

const ACCESS: ReadonlyMap<string, Words> = new Map([
  ["public", "lending.free"],
  ["borrowable", "lending.borrowable"],
  ["printdisabled", "lending.print_disabled"],
]);

/** Says how a work can be read; nothing of loans that this service cannot open. */
export function accessNote(document: Document, openable: OpenableScans): Piece {
  const { ebook_access: access, ia, lending_identifier_s: lent } = document;
  const isShut =
    access === "borrowable" && ![lent, ia].flatMap(stringsOf).some((scan) => isOpenable(openable, scan));
  const words = ACCESS.get(textOf(access) ?? "");
  return !isShut && words !== undefined && t(words);
}

/** Says how a scan can be read; nothing of loans that this service cannot open. */
export function lendingNote(
  availability:
    | { readonly status: string; readonly identifier?: string | null | undefined }
    | null
    | undefined,
  openable: OpenableScans,
): Markup | undefined {
  const { status = "", identifier } = availability ?? {};
  const isLoan = status.startsWith("borrow_");
  if (isLoan && !isOpenable(openable, identifier ?? "")) return undefined;
  const words = LENDING_NOTES.get(status);
  return words === undefined ? undefined : t(words);
}

export function renderJsonLink(address: string): Markup {
  return markup`<p>${link(address, t("layout.json"))}</p>`;
}

/** Returns the address of the page of a subject or publisher; the colon of `person:mark_twain` stays readable. */
export function nameAddressOf(key: string): string {
  return addressOf(key).replaceAll("%3A", ":").replaceAll("%2C", ",");
}

interface NamesView {
  path: string;
  kind: Words;
  q: string;
  label: Words;
  more?: Markup;
  summary: Piece;
  results: Parameters<typeof table>[0];
  /** Links below the table; the link to JSON if absent. */
  links?: Piece;
  cacheControl: string;
}

export function renderNamesPage(view: NamesView): Reply {
  const { path, kind, q, label, more, summary, results, cacheControl } = view;
  const { links = renderJsonLink(pageAddressOf(`${path}.json`, [["q", q]])) } = view;
  const title = q === "" ? t(kind) : t("list.pair", { name: t(kind), value: q });
  return page({
    title,
    q,
    metadata: {
      address: pageAddressOf(path, [["q", q]]),
      ...(q !== "" && { description: [title, ". ", summary] }),
    },
    body: markup`${renderSearchKinds(path, q)}
<form class="line" method="get" action="${path}"><label for="q">${t(label)}</label>
<input id="q" name="q" type="search" maxlength="1000" value="${q}"> ${more} <button>${t("layout.search")}</button></form>
${
  q !== "" &&
  markup`<p role="status">${summary}</p>
${results.rows.length > 0 && table(results)}
${links}`
}`,
    cacheControl,
  });
}

export function renderNamesLinks(
  path: string,
  parameters: PageParameters,
  place: Pick<PagePlace, "page" | "numFound">,
): Markup {
  const whole: PagePlace = {
    ...place,
    size: SEARCH_PAGE_NAMES,
    window: WINDOW_PLAIN_MAX,
    addressOf: (to) => numberedAddressOf(path, parameters, to),
  };
  return markup`${place.numFound > 0 && renderPlaceLinks(whole)}
${renderJsonLink(pageAddressOf(`${path}.json`, parameters))}`;
}

import { type Markup, type Piece, markup } from "./markup.ts";
import { type Words, say } from "./words.ts";

/** Which part of something longer a page shows. */
export interface Part {
  /** From 1. */
  readonly number: number;
  /** Entries of a page. */
  readonly size: number;
  /** Entries in all. */
  readonly total: number;
  /** Entries that can be paged through; all of them unless stated. */
  readonly window?: number;
}

/** `13 editions` (`words`, which count), and which of them are shown where not all are. */
export function partText({ number, size, total }: Part, words: Words): Markup {
  const from = (number - 1) * size + 1;
  const to = Math.min(total, number * size);
  const isAll = total <= size || from > total;
  return markup`${say(words, { count: total })}${!isAll && say("pager.part", { from, to })}`;
}

/** Where parts are: path of the page, its other parameters, and the heading of what is divided. */
export interface PartPlace {
  readonly address: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly anchor: string;
}

/** Links to the parts before and after; beyond the end, to the last one. */
export function partLinks(
  { number, size, total, window = total }: Part,
  { address, parameters = {}, anchor }: PartPlace,
): Markup | undefined {
  const last = Math.max(1, Math.ceil(Math.min(total, window) / size));
  const to = (one: number): string => {
    const query = new URLSearchParams({ ...parameters, ...(one === 1 ? {} : { page: String(one) }) });
    return `${address}${query.size === 0 ? "" : `?${query}`}#${anchor}`;
  };
  const links = pageLinks(
    number > 1 ? to(Math.min(number - 1, last)) : undefined,
    number < last ? to(number + 1) : undefined,
    PAGE_TURNS,
  );
  const isCut = number >= last && total > window;
  return isCut ? markup`${links}<p>${say("pager.window", { count: window })}</p>` : links;
}

/** What links to the pages before and after say in lists that are in no order of time. */
export const PAGE_TURNS = { newer: say("pager.previous"), older: say("pager.next") };

/** Links to the page before and after, as far as there are some. */
export function pageLinks(
  newer: string | undefined,
  older: string | undefined,
  texts: { readonly newer: Piece; readonly older: Piece } = {
    newer: say("pager.newer"),
    older: say("pager.older"),
  },
): Markup | undefined {
  if (newer === undefined && older === undefined) return undefined;
  return markup`<nav class="pages" aria-label="${say("pager.pages")}">${newer !== undefined && markup`<a rel="prev" href="${newer}">${texts.newer}</a>`}
${older !== undefined && markup`<a rel="next" href="${older}">${texts.older}</a>`}</nav>`;
}

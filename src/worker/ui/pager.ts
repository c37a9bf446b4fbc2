import { type Markup, type Piece, markup } from "./markup.ts";
import { type Words, t } from "./words.ts";

export interface Part {
  readonly number: number;
  readonly size: number;
  readonly total: number;
  /** Entries that can be paged through; all of them by default. */
  readonly window?: number;
}

/** Writes the number of entries, such as `13 editions`, and the range of the part unless it has all. */
export function partText({ number, size, total }: Part, words: Words): Markup {
  const from = (number - 1) * size + 1;
  const to = Math.min(total, number * size);
  const isAll = total <= size || from > total;
  return markup`${t(words, { count: total })}${!isAll && t("pager.part", { from, to })}`;
}

export interface PartPlace {
  readonly address: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly anchor: string;
}

/** Makes links to the parts before and after; beyond the end, to the last one. */
export function partLinks(
  { number, size, total, window = total }: Part,
  { address, parameters = {}, anchor }: PartPlace,
): Markup | undefined {
  const last = Math.max(1, Math.ceil(Math.min(total, window) / size));
  const to = (part: number): string => {
    const query = new URLSearchParams({ ...parameters, ...(part === 1 ? {} : { page: String(part) }) });
    return `${address}${query.size === 0 ? "" : `?${query}`}#${anchor}`;
  };
  const links = pageLinks(
    number > 1 ? to(Math.min(number - 1, last)) : undefined,
    number < last ? to(number + 1) : undefined,
    PAGE_TURNS,
  );
  const isCut = number >= last && total > window;
  return isCut ? markup`${links}<p>${t("pager.window", { count: window })}</p>` : links;
}

export const PAGE_TURNS = { newer: t("pager.previous"), older: t("pager.next") };

export function pageLinks(
  newer: string | undefined,
  older: string | undefined,
  texts: { readonly newer: Piece; readonly older: Piece } = {
    newer: t("pager.newer"),
    older: t("pager.older"),
  },
): Markup | undefined {
  if (newer === undefined && older === undefined) return undefined;
  return markup`<nav class="pages" aria-label="${t("pager.pages")}">${newer !== undefined && markup`<a rel="prev" href="${newer}">${texts.newer}</a>`}
${older !== undefined && markup`<a rel="next" href="${older}">${texts.older}</a>`}</nav>`;
}

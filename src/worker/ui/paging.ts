import { type Markup, grouped, markup } from "./markup.ts";
import { PAGE_TURNS, pageLinks } from "./parts.ts";

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

/** `13 editions`, and which of them are shown where not all are. */
export function partText(
  { number, size, total }: Part,
  [one, many]: readonly [one: string, many: string],
): string {
  if (total === 1) return `1 ${one}`;
  const from = (number - 1) * size + 1;
  const to = Math.min(total, number * size);
  const which = total <= size || from > total ? "" : `, ${grouped(from)} to ${grouped(to)}`;
  return `${grouped(total)} ${many}${which}`;
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
  return isCut ? markup`${links}<p>Only the first ${grouped(window)} can be paged through.</p>` : links;
}

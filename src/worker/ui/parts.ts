import { type Markup, type Piece, markup } from "./markup.ts";
import { dayOf, say } from "./words.ts";

/** A link; `current` marks the page that is shown. */
export function link(href: string, text: Piece, current = false): Markup {
  return current
    ? markup`<a href="${href}" aria-current="page">${text}</a>`
    : markup`<a href="${href}">${text}</a>`;
}

/** Pieces with commas between them; undefined when there are none. */
export function commas(pieces: readonly Piece[]): Markup | undefined {
  return pieces.length === 0
    ? undefined
    : markup`${pieces.map((one, index) => markup`${index > 0 && say("list.comma")}${one}`)}`;
}

/** Of when numbers are that are kept for a while. */
export function countedAt(time: string): Markup {
  return markup`<p class="hint">${say("stats.counted", { time: dayOf(time) })}</p>`;
}

/** Notes side by side, those that there are; undefined when there are none. */
export function dots(pieces: readonly Piece[]): Markup | undefined {
  const shown = pieces.filter((one) => one !== undefined && one !== null && one !== false && one !== "");
  return shown.length === 0 ? undefined : markup`${shown.map((one, index) => [index > 0 && " · ", one])}`;
}

/** The first of many values, and how many more there are. */
export function firstOf<Value>(
  values: readonly Value[],
  count: number,
  show: (value: Value) => Piece,
): Piece[] {
  const shown = values.slice(0, count).map(show);
  return values.length > count ? [...shown, say("list.more", { count: values.length - count })] : shown;
}

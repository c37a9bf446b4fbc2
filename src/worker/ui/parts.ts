import { type Markup, type Piece, forReader, markup } from "./markup.ts";
import { dayOf, moment, t } from "./words.ts";

/** Name of the service, as its administrators set it. */
export const siteName = forReader(({ site }) => site.name);

/** Makes a link; `isCurrent` marks the current page. */
export function link(href: string, text: Piece, isCurrent = false): Markup {
  return isCurrent
    ? markup`<a href="${href}" aria-current="page">${text}</a>`
    : markup`<a href="${href}">${text}</a>`;
}

export function paragraph(piece: Piece): Markup {
  return markup`<p>${piece}</p>`;
}

export function code(text: Piece): Markup {
  return markup`<code>${text}</code>`;
}

/** Hides a text of a program until the reader opens it. */
export function details(summary: Piece, text: Piece): Markup {
  return markup`<details><summary>${summary}</summary><pre dir="ltr">${text}</pre></details>`;
}

/** Marks a text of the service that is not translated, for screen readers. */
export function inEnglish(text: Piece): Markup {
  return markup`<span lang="en">${text}</span>`;
}

export function commas(pieces: readonly Piece[]): Markup | undefined {
  return pieces.length === 0
    ? undefined
    : markup`${pieces.map((piece, index) => markup`${index > 0 && t("list.comma")}${piece}`)}`;
}

export function countTime(time: string): Markup {
  return markup`<p class="hint">${t("stats.counted", { time: dayOf(time) })}</p>`;
}

export function dots(pieces: readonly Piece[]): Markup | undefined {
  const present = pieces.filter(
    (piece) => piece !== undefined && piece !== null && piece !== false && piece !== "",
  );
  return present.length === 0
    ? undefined
    : markup`${present.map((piece, index) => [index > 0 && " · ", piece])}`;
}

export function asOfLine(time: string): Markup {
  return markup`<p class="soft">${t("desk.as_of", { time: moment(time) })}</p>`;
}

/** Shows the first values, and the number of the others. */
export function showFirst<Value>(
  values: readonly Value[],
  count: number,
  show: (value: Value) => Piece,
): Piece[] {
  const pieces = values.slice(0, count).map(show);
  return values.length > count ? [...pieces, t("list.more", { count: values.length - count })] : pieces;
}

import { type Markup, type Piece, markup } from "./markup.ts";
import { number } from "./words.ts";

/** A page beside others. */
interface Tab {
  readonly href: string;
  readonly text: Piece;
  readonly count?: number | undefined;
  /** It is the one that is shown. */
  readonly isCurrent: boolean;
}

/** Pages beside each other, of which one is shown. */
export function tabs(label: Piece, all: readonly Tab[]): Markup {
  return markup`<nav class="tabs" aria-label="${label}"><ul>${all.map(
    ({ href, text, count, isCurrent }) =>
      markup`<li><a href="${href}"${isCurrent && markup` aria-current="page"`}>${text}${count !== undefined && markup`<span class="n">${number(count)}</span>`}</a></li>`,
  )}</ul></nav>`;
}

import { type Markup, type Piece, markup } from "./markup.ts";
import { number } from "./words.ts";

interface Tab {
  href: string;
  text: Piece;
  count?: number | undefined;
  isCurrent: boolean;
}

export function tabs(label: Piece, items: readonly Tab[]): Markup {
  return markup`<nav class="tabs" aria-label="${label}"><ul>${items.map(
    ({ href, text, count, isCurrent }) =>
      markup`<li><a href="${href}"${isCurrent && markup` aria-current="page"`}>${text}${count !== undefined && markup`<span class="n">${number(count)}</span>`}</a></li>`,
  )}</ul></nav>`;
}

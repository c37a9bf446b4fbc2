import { type Markup, type Piece, markup } from "./markup.ts";
import { number, t } from "./words.ts";

interface Chip {
  href: string | undefined;
  text: Piece;
  count?: number | undefined;
  isCurrent?: boolean;
}

export function chips(items: readonly Chip[]): Markup | undefined {
  if (items.length === 0) return undefined;
  return markup`<ul class="chips">${items.map(
    ({ href, text, count, isCurrent }) =>
      markup`<li>${href === undefined ? markup`<span class="chip">${text}</span>` : markup`<a class="chip" href="${href}"${isCurrent === true && markup` aria-current="page"`}>${text}${count !== undefined && markup`<span class="n">${number(count)}</span>`}</a>`}</li>`,
  )}</ul>`;
}

export function removableChips(label: Piece, items: readonly Chip[]): Markup | undefined {
  if (items.length === 0) return undefined;
  return markup`<ul class="chips" aria-label="${label}">${items.map(
    ({ href, text }) =>
      markup`<li><a class="chip on" href="${href ?? ""}"><span class="unseen">${t("chip.remove")} </span>${text}<span aria-hidden="true">×</span></a></li>`,
  )}</ul>`;
}

import { type Markup, type Piece, markup } from "./markup.ts";
import { number, say } from "./words.ts";

/** Something short that leads somewhere, such as a subject. */
interface Chip {
  /** Undefined for one that leads nowhere. */
  readonly href: string | undefined;
  readonly text: Piece;
  readonly count?: number | undefined;
  /** It leads to what is shown. */
  readonly isCurrent?: boolean;
}

/** Short links side by side; undefined when there are none. */
export function chips(all: readonly Chip[]): Markup | undefined {
  if (all.length === 0) return undefined;
  return markup`<ul class="chips">${all.map(
    ({ href, text, count, isCurrent }) =>
      markup`<li>${href === undefined ? markup`<span class="chip">${text}</span>` : markup`<a class="chip" href="${href}"${isCurrent === true && markup` aria-current="page"`}>${text}${count !== undefined && markup`<span class="n">${number(count)}</span>`}</a>`}</li>`,
  )}</ul>`;
}

/** What something is narrowed by, each with a link that takes it away; undefined when there is nothing. */
export function removableChips(label: Piece, all: readonly Chip[]): Markup | undefined {
  if (all.length === 0) return undefined;
  return markup`<ul class="chips" aria-label="${label}">${all.map(
    ({ href, text }) =>
      markup`<li><a class="chip on" href="${href ?? ""}"><span class="unseen">${say("chip.remove")} </span>${text}<span aria-hidden="true">×</span></a></li>`,
  )}</ul>`;
}

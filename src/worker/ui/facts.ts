import { type Markup, type Piece, markup } from "./markup.ts";

/** A term and what is said of it; entries without a value are left out. Undefined when none is left. */
export function factList(entries: readonly (readonly [Piece, Piece])[]): Markup | undefined {
  const shown = entries.filter(
    ([, value]) => value !== undefined && value !== null && value !== false && value !== "",
  );
  if (shown.length === 0) return undefined;
  return markup`<dl class="facts">${shown.map(([term, value]) => markup`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`;
}

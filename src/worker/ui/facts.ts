import { type Markup, type Piece, markup } from "./markup.ts";
import { number } from "./words.ts";

/** Makes a list of terms and values, with numbers formatted for the reader and without entries that have no value; undefined if all are empty. */
export function factList(entries: readonly (readonly [Piece, Piece])[]): Markup | undefined {
  const present = entries.filter(
    ([, value]) => value !== undefined && value !== null && value !== false && value !== "",
  );
  if (present.length === 0) return undefined;
  return markup`<dl class="facts">${present.map(([term, value]) => markup`<dt>${term}</dt><dd>${typeof value === "number" ? number(value) : value}</dd>`)}</dl>`;
}

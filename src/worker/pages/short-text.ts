/** Longest title, name, date or the like on a page, in UTF-16 units: titles of old books have some hundreds. */
export const SHOWN_TEXT_MAX = 1000;

/** A text that stands in a heading, a link or a row. A record can hold a million characters in any member, and a page many records (Q437). */
export function shortText(text: string): string {
  if (text.length <= SHOWN_TEXT_MAX) return text;
  // No character is cut in two.
  return `${text.slice(0, SHOWN_TEXT_MAX - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

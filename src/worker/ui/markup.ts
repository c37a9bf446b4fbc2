import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** HTML that is safe to send: whatever was put into it was escaped. */
export type Markup = HtmlEscapedString;

/** What can stand in a template; `undefined`, `null` and `false` stand for nothing. */
export type Piece = string | number | Markup | undefined | null | false | readonly Piece[];

/** Hono's `html` for pieces that are there already, so that there is nothing to wait for. Texts are escaped. */
export function markup(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  const made = html(strings, ...pieces);
  // Only a promise among the pieces makes a promise, and the types let none in.
  if (made instanceof Promise) throw new Error("a template cannot wait");
  return made;
}

/** The address of a key or path on this site, whatever stands in it: never one of another site. */
export function addressOf(key: string): string {
  const path = key.toWellFormed().split("/").map(encodeURIComponent).join("/");
  // `//host` would be another site.
  return path.replace(/^\/*/, (slashes) => `/${"%2F".repeat(Math.max(0, slashes.length - 1))}`);
}

/** A number as people read it, with its thousands set apart. */
export function grouped(value: number): string {
  return value.toLocaleString("en");
}

/** Longest title, name, date or the like on a page, in UTF-16 units: titles of old books have some hundreds. */
export const SHOWN_TEXT_MAX = 1000;

/**
 * A text that stands in a heading, a link or a row. A record can hold a million characters in any member, and a page
 * many records (Q437).
 */
export function shortText(text: string): string {
  if (text.length <= SHOWN_TEXT_MAX) return text;
  // No character is cut in two.
  return `${text.slice(0, SHOWN_TEXT_MAX - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

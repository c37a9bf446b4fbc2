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

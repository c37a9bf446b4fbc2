import { normalForm } from "../normal-form.ts";
/** What separates words for a comparison: blanks and the marks that catalogers set in different ways. */
const SEPARATORS = /[\s\-,;:.]+/g;

/**
 * The form in which titles, names and publishers are compared (import.md 16.1): composed letters, lower case, `&` as a
 * word of its own spelled out, single blanks for all separators.
 */
export function matchText(text: string): string {
  return normalForm(text, "NFC").replaceAll(" & ", " and ").toLowerCase().replace(SEPARATORS, " ").trim();
}

/** Without a leading `the ` or `a `, of a text that `matchText` made. */
export function withoutArticle(text: string): string {
  if (text.startsWith("the ")) return text.slice(4);
  return text.startsWith("a ") ? text.slice(2) : text;
}

/** Text below these has one form only, whatever the form. */
const MAY_CHANGE = /[\u00A0-\uFFFF]/;
/** Marks on one character that are kept: bringing more into order takes time that grows with their square. */
export const MARKS_MAX = 30;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, "gu");

/** The text in a Unicode normalization form. Of more than 30 marks on one character the others are dropped. */
export function normalForm(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  if (!MAY_CHANGE.test(text)) return text;
  // Q300: no language has such text, and it would hold up everything after.
  return (text.length > MARKS_MAX ? text.replace(TOO_MANY_MARKS, "$1") : text).normalize(form);
}

/** A text for comparisons in which case does not count, as far as Unicode knows of it: `STRASSE` is `straße`. */
export function caseFold(text: string): string {
  // Upper case first: it spells out what has no single lower case. Of a sigma only the place in the word decides.
  return text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

const MARKS = /\p{M}+/gu;
const BLANKS = /\s+/g;

/** A name without accents and case, single blanks between its words: how names of languages are compared. */
export function foldedName(name: string): string {
  return normalForm(name, "NFKD").replace(MARKS, "").toLowerCase().replace(BLANKS, " ").trim();
}

/** What separates words for a comparison: blanks and the marks that catalogers set in different ways. */
const SEPARATORS = /[\s\-,;:.]+/g;

/** How titles, names and publishers are compared: composed, lower case, `and` for `&`, single blanks for separators. */
export function matchText(text: string): string {
  return normalForm(text, "NFC").replaceAll(" & ", " and ").toLowerCase().replace(SEPARATORS, " ").trim();
}

/** Without a leading `the ` or `a `, of a text that `matchText` made. */
export function withoutArticle(text: string): string {
  if (text.startsWith("the ")) return text.slice(4);
  return text.startsWith("a ") ? text.slice(2) : text;
}

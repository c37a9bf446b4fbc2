import { matchText, normalForm, withoutArticle } from "./normal-form.ts";

/** Longest form of a whole title or name, and what is looked at of one, in UTF-16 units. */
export const WHOLE_TITLE_LENGTH = 400;
const LENGTH = 25;
const MARKS = /\p{M}+/gu;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Folds a title or name to the form of the derived property `normalized_title_`: accents
 * stripped, lower case, ` and ` and a leading article dropped, no blanks, 25 characters at most.
 */
export function normalizedTitle(title: string): string {
  return folded(title).slice(0, LENGTH);
}

/** The same without the cut at 25 characters. */
export function wholeTitle(title: string): string {
  return folded(title.slice(0, WHOLE_TITLE_LENGTH)).slice(0, WHOLE_TITLE_LENGTH);
}

/** The whole form of a title that `normalizedTitle` cuts; undefined for all others. */
export function longTitle(title: string): string | undefined {
  const whole = wholeTitle(title);
  return whole.length > LENGTH ? whole : undefined;
}

function folded(title: string): string {
  const plain = ASCII.test(title) ? title : normalForm(title, "NFKD").replace(MARKS, "");
  const spaced = plain
    .toLowerCase()
    .replaceAll(" and ", " ")
    .replace(/^\s*(the|a) /, "");
  return spaced.replace(/\s+/g, "");
}

/** Longest title key, in UTF-16 units: titles that agree so far are one title. */
export const WORK_TITLE_KEY_LENGTH = 1000;
/** What is looked at of a title; longer ones than any book's. */
const TITLE_LENGTH = 4 * WORK_TITLE_KEY_LENGTH;

/**
 * What the titles of one work have in common: neither case, article, ` and `, blanks and common marks
 * count, nor a remark in square brackets at the end. Empty when the title has nothing else.
 */
export function workTitleKey(title: string): string {
  const whole = title.slice(0, TITLE_LENGTH);
  const remark = whole.endsWith("]") ? whole.lastIndexOf("[") : -1;
  const text = matchText(remark > 0 ? whole.slice(0, remark) : whole).replaceAll(" and ", "");
  return withoutArticle(text).replaceAll(" ", "").slice(0, WORK_TITLE_KEY_LENGTH);
}

/** The key in the index by which an edition is looked for: that of its title without what is in parentheses. */
export function editionTitleKey(title: string): string {
  const start = title.indexOf("(");
  const end = title.lastIndexOf(")");
  if (start === -1 || end < start) return normalizedTitle(title);
  const before = title.slice(0, title.charAt(start - 1) === " " ? start - 1 : start);
  return normalizedTitle(before + title.slice(end + 1));
}

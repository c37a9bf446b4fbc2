import { normalForm } from "./normal-form.ts";

/** Longest form of a whole title or name, and what is looked at of one, in UTF-16 units. */
export const WHOLE_TITLE_LENGTH = 400;
const LENGTH = 25;
const MARKS = /\p{M}+/gu;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Folds a title or name to the form of the derived property `normalized_title_` (records.md 3.1): accents
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

import { normalForm } from "./normal-form.ts";
const LENGTH = 25;
const MARKS = /\p{M}+/gu;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Folds a title or name to the form of the derived property `normalized_title_` (records.md 3.1): accents
 * stripped, lower case, ` and ` and a leading article dropped, no blanks, 25 characters at most.
 */
export function normalizedTitle(title: string): string {
  const plain = ASCII.test(title) ? title : normalForm(title, "NFKD").replace(MARKS, "");
  const folded = plain.toLowerCase();
  const spaced = folded.replaceAll(" and ", " ").replace(/^\s*(the|a) /, "");
  return spaced.replace(/\s+/g, "").slice(0, LENGTH);
}

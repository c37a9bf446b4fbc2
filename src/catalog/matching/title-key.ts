import { matchText, withoutArticle } from "./match-text.ts";

/** Longest title key, in UTF-16 units: titles that agree so far are one title. */
export const WORK_TITLE_KEY_LENGTH = 1000;
/** What is looked at of a title; longer ones than any book's. */
const TITLE_LENGTH = 4 * WORK_TITLE_KEY_LENGTH;

/**
 * What the titles of one work have in common (import.md 18.1): neither case, article, ` and `, blanks and common marks
 * count, nor a remark in square brackets at the end. Empty when the title has nothing else.
 */
export function workTitleKey(title: string): string {
  const text = matchText(withoutRemark(title.slice(0, TITLE_LENGTH))).replaceAll(" and ", "");
  return withoutArticle(text).replaceAll(" ", "").slice(0, WORK_TITLE_KEY_LENGTH);
}

function withoutRemark(title: string): string {
  const start = title.endsWith("]") ? title.lastIndexOf("[") : -1;
  return start > 0 ? title.slice(0, start) : title;
}

import { normalizedTitle } from "../normalized-title.ts";

/**
 * The key by which an edition of the same title is looked for (import.md 15.3): that of the index, of the title without
 * what it has in parentheses. Titles in the index keep their parentheses.
 */
export function editionTitleKey(title: string): string {
  const start = title.indexOf("(");
  const end = title.lastIndexOf(")");
  if (start === -1 || end < start) return normalizedTitle(title);
  const before = title.slice(0, title.charAt(start - 1) === " " ? start - 1 : start);
  return normalizedTitle(before + title.slice(end + 1));
}

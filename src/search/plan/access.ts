import { EBOOK_ACCESS_LEVELS } from "../../catalog/ebook-access.ts";
import { accessToken } from "../index/filter-token.ts";
import { type Match, matchWithout, withToken } from "./match.ts";
import type { Bounds } from "./plan.ts";

const HIGHEST = EBOOK_ACCESS_LEVELS.length - 1;
/** `has_fulltext` and `public_scan_b` follow from the access (search.md 9.1). */
const FLAG_LEVELS = new Map([
  ["has_fulltext", EBOOK_ACCESS_LEVELS.indexOf("printdisabled")],
  ["public_scan_b", EBOOK_ACCESS_LEVELS.indexOf("public")],
]);

/** Place of a level by its name; undefined for other texts. */
export function levelOf(text: string): number | undefined {
  const level = EBOOK_ACCESS_LEVELS.findIndex((name) => name === text);
  return level === -1 ? undefined : level;
}

/** Works whose access lies between two levels; undefined when there is none between them. */
export function accessMatch({ from, to, includesFrom, includesTo }: Bounds<number>): Match | undefined {
  const lowest = from === undefined ? 0 : from + (includesFrom ? 0 : 1);
  const highest = to === undefined ? HIGHEST : to - (includesTo ? 0 : 1);
  if (lowest > highest) return undefined;
  const atLeast = withToken(accessToken(lowest));
  return highest >= HIGHEST ? atLeast : matchWithout(atLeast, withToken(accessToken(highest + 1)));
}

/** Works of which a flag that follows from the access is `true` or `false`; undefined for other texts. */
export function flagMatch(field: string, text: string): Match | undefined {
  const level = FLAG_LEVELS.get(field);
  if (level === undefined || (text !== "true" && text !== "false")) return undefined;
  return text === "true"
    ? accessMatch({ from: level, to: undefined, includesFrom: true, includesTo: true })
    : accessMatch({ from: undefined, to: level, includesFrom: true, includesTo: false });
}

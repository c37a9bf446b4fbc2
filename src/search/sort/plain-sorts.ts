import type { Sort } from "../engine.ts";
import { type ParsedSort, bothWays, parseSorts } from "./sort-names.ts";

/** The orders of authors by their names on the wire (search.md 4.5). */
const AUTHOR_SORTS = new Map<string, Sort>([
  ["work_count desc", { field: "work_count", descending: true }],
  ["name", { field: "name", descending: false }],
  ["birth_date asc", { field: "birth_date", descending: false }],
  ["birth_date desc", { field: "birth_date", descending: true }],
]);

/** The orders of lists and series (search.md 4.5). */
const LIST_SORTS = new Map<string, Sort>([
  ["name asc", { field: "name", descending: false }],
  ...bothWays("last_modified", "last_modified", "desc"),
  ...bothWays("seed_count", "seed_count", "desc"),
]);

/** Reads `sort=` of a search for authors; `now` is in milliseconds since the epoch. Never throws. */
export function parseAuthorSort(text: string, now: number): ParsedSort {
  return parseSorts(text, AUTHOR_SORTS, now);
}

/** Reads `sort=` of a search for lists; `now` is in milliseconds since the epoch. Never throws. */
export function parseListSort(text: string, now: number): ParsedSort {
  return parseSorts(text, LIST_SORTS, now);
}

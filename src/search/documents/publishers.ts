import type { CatalogRecord } from "../../catalog/record.ts";
import { texts } from "./values.ts";

/** What a publisher without name is called, however "s.n." is written. */
export const SINE_NOMINE = "Sine nomine";

const NOT_LETTERS = /[^a-zA-Z]/g;
/** "[s.n.]", "S. N. ;" and the like are short: longer names need no look. */
const SINE_NOMINE_LENGTH_MAX = 20;

/** Publishers of an edition (search.md 9.1 `publisher`). */
export function publishersOf(edition: CatalogRecord): string[] {
  return texts(edition, "publishers").map((name) => (isSineNomine(name) ? SINE_NOMINE : name));
}

function isSineNomine(name: string): boolean {
  if (name.length > SINE_NOMINE_LENGTH_MAX) return false;
  return name.replace(NOT_LETTERS, "").toLowerCase() === "sn";
}

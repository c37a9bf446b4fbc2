import { EBOOK_ACCESS_LEVELS } from "../../catalog/ebook-access.ts";
import { type Json, stringsOf } from "../../catalog/record.ts";
import type { Document, Sort } from "../engine.ts";
import { collationKey } from "../text/collation.ts";

type Comparable = string | number;

/** Stands for a year that is not known, in ascending order (search.md 4.5). */
const UNKNOWN_YEAR = 9999;
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/** Compares editions by orders of search.md 4.5; equals keep their place. */
export function editionOrder(sorts: readonly Sort[]): (one: Document, other: Document) => number {
  return (one, other) => {
    for (const sort of sorts) {
      const order = compare(sortValue(one, sort), sortValue(other, sort));
      if (order !== 0) return sort.descending ? -order : order;
    }
    return 0;
  };
}

function compare(one: Comparable, other: Comparable): number {
  return Number(one > other) - Number(one < other);
}

function sortValue(edition: Document, { field, descending, seed }: Sort): Comparable {
  switch (field) {
    case "random":
      return hash(`${seed ?? ""} ${String(edition["key"])}`);
    case "publish_year":
      return yearOf(edition["publish_year"], descending);
    case "title_sort":
      return collationKey(stringsOf(edition["title"]).join(""));
    case "ebook_access":
      return EBOOK_ACCESS_LEVELS.findIndex((name) => name === edition["ebook_access"]);
    case "key":
      return String(edition["key"]);
    default:
      return Number(edition[field] ?? 0);
  }
}

/** The first year in ascending order, the last one in descending order. */
function yearOf(value: Json | undefined, descending: boolean): number {
  const years = Array.isArray(value) ? value.map(Number) : [];
  if (years.length === 0) return descending ? 0 : UNKNOWN_YEAR;
  return descending ? Math.max(...years) : Math.min(...years);
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = HASH_START;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), HASH_FACTOR);
  }
  return value >>> 0;
}

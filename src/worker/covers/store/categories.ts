import type { CoverCategory } from "../../../db/covers/rows.ts";
import type { AnyOperation } from "../../http/operation.ts";

/** Categories in the order of the interface: books, authors, works. */
export const COVER_CATEGORIES: readonly CoverCategory[] = ["b", "a", "w"];
/** Names of the categories in ids and summaries of operations. */
const NOUNS: Readonly<Record<CoverCategory, string>> = { a: "Author", b: "Book", w: "Work" };

/** One operation for each category, as the address names it: `/b/upload2`, `/a/upload2`, `/w/upload2`. */
export function forCategories(
  make: (category: CoverCategory, noun: string) => AnyOperation,
): Readonly<Record<CoverCategory, AnyOperation>> {
  return { a: make("a", NOUNS.a), b: make("b", NOUNS.b), w: make("w", NOUNS.w) };
}

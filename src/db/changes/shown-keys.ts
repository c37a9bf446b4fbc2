import type { IndexRows } from "../../catalog/index-rows.ts";

/**
 * Keys of records that answers show differently when a record changes: itself, and what it refers to or did
 * before; lists of an author's works change with the works.
 */
export function shownKeys(
  key: string,
  { added, removed }: { readonly added: IndexRows; readonly removed: IndexRows },
): string[] {
  const named = [...added.properties, ...removed.properties].map(({ value }) => value);
  return [key, ...named.filter((value) => value.startsWith("/"))];
}

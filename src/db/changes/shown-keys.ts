import { type IndexRows, TEXT_ROWS } from "../../catalog/index-rows.ts";

/**
 * Keys of records that answers show differently when a record changes: itself, and what it refers to or did
 * before; lists of an author's works change with the works.
 */
export function shownKeys(
  key: string,
  { added, removed }: { readonly added: IndexRows; readonly removed: IndexRows },
): string[] {
  const rows = [...added.properties, ...removed.properties];
  const named = rows.filter(({ name, value }) => value.startsWith("/") && !TEXT_ROWS.has(name));
  return [key, ...named.map(({ value }) => value)];
}

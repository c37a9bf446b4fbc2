import type { CatalogRecord } from "../../../src/catalog/record.ts";

/** A stored edition of the work of the same number; members on top, null takes one away. */
export function edition(number: number, members: CatalogRecord = {}): CatalogRecord {
  return stored("edition", `/books/OL${number}M`, { works: [{ key: `/works/OL${number}W` }], ...members });
}

/** A stored work. */
export function work(number: number, members: CatalogRecord = {}): CatalogRecord {
  return stored("work", `/works/OL${number}W`, members);
}

/** A stored author. */
export function author(number: number, name: string, members: CatalogRecord = {}): CatalogRecord {
  return stored("author", `/authors/OL${number}A`, { name, ...members });
}

/** A record that is another one by now. */
export function redirect(from: string, to: string): CatalogRecord {
  return stored("redirect", from, { location: to });
}

/** Authors of a work by their numbers. */
export function roles(...numbers: readonly number[]): CatalogRecord[] {
  return numbers.map((number) => ({
    type: { key: "/type/author_role" },
    author: { key: `/authors/OL${number}A` },
  }));
}

/** Authors of an edition by their numbers. */
export function authors(...numbers: readonly number[]): CatalogRecord[] {
  return numbers.map((number) => ({ key: `/authors/OL${number}A` }));
}

function stored(type: string, key: string, members: CatalogRecord): CatalogRecord {
  const present = Object.entries(members).filter(([, value]) => value !== null);
  return { key, type: { key: `/type/${type}` }, revision: 2, ...Object.fromEntries(present) };
}

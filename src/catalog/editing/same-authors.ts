import { authorNameKey } from "../matching/author-keys.ts";
import { type CatalogRecord, authorKeys, keyOf, resolveRecord, textOf, typeKey } from "../record.ts";

type Records = ReadonlyMap<string, CatalogRecord>;

/**
 * Maps authors of merged works to the author that they are the same as, by key: a redirect to its target, and an author
 * of a duplicate to the master's author of the same name, unless their years differ. `authors` holds the records that
 * the works refer to and the targets of redirects.
 */
export function sameAuthors(
  master: CatalogRecord,
  duplicates: readonly CatalogRecord[],
  authors: Records,
): ReadonlyMap<string, string> {
  const same = new Map<string, string>();
  const known: CatalogRecord[] = [];
  for (const work of [master, ...duplicates]) {
    // Two authors of the same name on one work are two people.
    const others = [...known];
    for (const key of authorKeys(work["authors"])) {
      const author = resolveRecord(authors, key);
      if (author === undefined || typeKey(author) !== "/type/author") continue;
      const twin = others.find((one) => isSameAuthor(one, author));
      if (twin === undefined) known.push(author);
      const means = keyOf(twin ?? author) ?? key;
      if (means !== key) same.set(key, means);
    }
  }
  return same;
}

function isSameAuthor(one: CatalogRecord, other: CatalogRecord): boolean {
  const [name, otherName] = [one, other].map((author) => authorNameKey(textOf(author["name"]) ?? ""));
  const isApart = ["birth_date", "death_date"].some((date) => {
    const [year, otherYear] = [yearOf(one, date), yearOf(other, date)];
    return year !== undefined && otherYear !== undefined && year !== otherYear;
  });
  return keyOf(one) === keyOf(other) || (name !== "" && name === otherName && !isApart);
}

function yearOf(author: CatalogRecord, date: string): string | undefined {
  return /\d{4}/.exec(textOf(author[date]) ?? "")?.[0];
}

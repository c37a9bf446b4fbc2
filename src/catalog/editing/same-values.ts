import { rewriteLegacyKey } from "../keys.ts";
import {
  authorKeysIn,
  isObject,
  keyOf,
  memberOf,
  textOf,
  typeKeyOf,
  resolveRecord,
  type CatalogRecord,
  type Json,
} from "../record.ts";
import { normalizeNumber } from "../identifiers/edition-identifiers.ts";
import { authorNameKeyOf } from "../matching/match-keys.ts";

/** Returns a text that equal values share. Ignores the order of members and the type of author roles. */
export function fingerprint(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(fingerprint).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const isRole = typeKeyOf(value) === "/type/author_role";
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined && !(name === "type" && isRole))
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${fingerprint(value[name])}`).join(",")}}`;
}

/** Returns the first of equal elements by `identity`, or the array itself if all are distinct. */
export function dropDuplicates(elements: Json[], identity: (element: Json) => string = fingerprint): Json[] {
  const seen = new Set<string>();
  const distinctElements = elements.filter((element) => {
    const text = identity(element);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
  return distinctElements.length === elements.length ? elements : distinctElements;
}

type Identity = (element: Json) => string;

/** An author may have several roles in a book. */
const byCredit: Identity = (element) => {
  const [key] = authorKeysIn([element]);
  if (key === undefined) return fingerprint(element);
  return `author ${rewriteLegacyKey(key)} ${byWords((isObject(element) && element["role"]) || "")}`;
};
const bySeries: Identity = (element) => {
  const key = isObject(element) ? keyOf(element["series"]) : undefined;
  return key === undefined ? fingerprint(element) : `series ${key}`;
};
const byWords: Identity = (element) => {
  const text = textOf(element);
  return text === undefined ? fingerprint(element) : squashBlanks(text).toLowerCase();
};
/** In old records the number of an image may be a text. */
const byNumber: Identity = (element) => (typeof element === "string" ? element.trim() : fingerprint(element));
/** Spelling, blanks, hyphens and case of an identifier are not significant. */
function identifierIdentityOf(kind: string, element: Json): string {
  const text = textOf(element);
  const number = text === undefined ? fingerprint(element) : normalizeNumber(kind, text);
  return number.replace(/[\s-]+/g, "").toLowerCase();
}

const IDENTITIES: ReadonlyMap<string, Identity> = new Map([
  ["authors", byCredit],
  ["series", bySeries],
  ...["subjects", "subject_people", "subject_places", "subject_times"].map(
    (name) => [name, byWords] as const,
  ),
  ...["covers", "photos"].map((name) => [name, byNumber] as const),
]);

export function identityOf(member: string): Identity {
  return IDENTITIES.get(member) ?? fingerprint;
}

function joinValuesOfKind(kind: string, values: Json | undefined, other: Json | undefined): Json | undefined {
  const identity: Identity = (element) => identifierIdentityOf(kind, element);
  if (values === undefined || values === null)
    return Array.isArray(other) ? dropDuplicates(other, identity) : other;
  if (!Array.isArray(values)) return values;
  return dropDuplicates([...values, ...(Array.isArray(other) ? other : [])], identity);
}

/** Joins the identifiers `{kind: [values]}` of two records, without duplicates. */
export function joinIdentifiers(identifiers: CatalogRecord, other: CatalogRecord): CatalogRecord {
  const kinds = [...new Set([...Object.keys(identifiers), ...Object.keys(other)])];
  return Object.fromEntries(
    kinds.map((kind) => [kind, joinValuesOfKind(kind, memberOf(identifiers, kind), memberOf(other, kind))]),
  );
}

/** Returns the record without elements that are equivalent to an earlier one of the member. */
export function dropRepeats(record: CatalogRecord): CatalogRecord {
  const { identifiers } = record;
  const entries = Object.entries(record).map(([name, value]) => {
    const identity = IDENTITIES.get(name);
    return [name, identity !== undefined && Array.isArray(value) ? dropDuplicates(value, identity) : value];
  });
  return {
    ...Object.fromEntries(entries),
    ...(isObject(identifiers) && { identifiers: joinIdentifiers(identifiers, {}) }),
  };
}

export function squashBlanks(name: string): string {
  return name.trim().replace(/\s+/g, " ");
}

type Records = ReadonlyMap<string, CatalogRecord>;

/**
 * Maps authors of merged works to the author that they are the same as, by key: a redirect to its target, and an author
 * of a duplicate to the master's author of the same name, unless their years differ. `authors` holds the records that
 * the works refer to and the targets of redirects.
 */
export function findSameAuthors(
  master: CatalogRecord,
  duplicates: readonly CatalogRecord[],
  authors: Records,
): ReadonlyMap<string, string> {
  const same = new Map<string, string>();
  const known: CatalogRecord[] = [];
  for (const work of [master, ...duplicates]) {
    // Two authors of the same name on one work are two people.
    const others = [...known];
    for (const key of authorKeysIn(work["authors"])) {
      const author = resolveRecord(authors, key);
      if (author === undefined || typeKeyOf(author) !== "/type/author") continue;
      const twin = others.find((other) => isSameAuthor(other, author));
      if (twin === undefined) known.push(author);
      const means = keyOf(twin ?? author) ?? key;
      if (means !== key) same.set(key, means);
    }
  }
  return same;
}

function isSameAuthor(a: CatalogRecord, b: CatalogRecord): boolean {
  const [name, otherName] = [a, b].map((author) => authorNameKeyOf(textOf(author["name"]) ?? ""));
  const haveDifferentYears = ["birth_date", "death_date"].some((date) => {
    const [year, otherYear] = [yearOf(a, date), yearOf(b, date)];
    return year !== undefined && otherYear !== undefined && year !== otherYear;
  });
  return keyOf(a) === keyOf(b) || (name !== "" && name === otherName && !haveDifferentYears);
}

function yearOf(author: CatalogRecord, date: string): string | undefined {
  return /\d{4}/.exec(textOf(author[date]) ?? "")?.[0];
}

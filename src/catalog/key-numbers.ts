/**
 * Size of the id range of each kind of record. The id of a record with an OLID holds the kind and number of its key, so
 * that index rows can be computed without a lookup, records of one kind are adjacent, and ascending order is the order
 * of the keys in any order of loading: `/works/OL1W` has 3298534883329, which is 3 * 2^40 + 1. Other keys are numbered
 * in order of arrival.
 */

const NUMBERS_PER_KIND = 2 ** 40;
const KINDS = { other: 0, A: 1, M: 2, W: 3 } as const;
export const HIGHEST_NUMBER = NUMBERS_PER_KIND - 1;

/** Half-open range of ids of one kind of record. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

const SEGMENTS = { authors: "A", books: "M", works: "W" } as const;

/** Returns the id of a key `/authors|books|works/<prefix><digits><letter>`; undefined for every other key. */
export function idOfKey(key: string, prefix: string): number | undefined {
  const slash = key.indexOf("/", 1);
  const segment = key.slice(1, slash);
  if (segment !== "authors" && segment !== "books" && segment !== "works") return undefined;
  const letter = SEGMENTS[segment];
  if (!key.startsWith(prefix, slash + 1) || !key.endsWith(letter)) return undefined;
  const digits = key.slice(slash + 1 + prefix.length, -1);
  if (!/^(0|[1-9]\d*)$/.test(digits)) return undefined;
  const number = Number(digits);
  return number <= HIGHEST_NUMBER ? KINDS[letter] * NUMBERS_PER_KIND + number : undefined;
}

/** Returns the ids of all keys of a kind: authors (A), editions (M), works (W). */
export function idRangeOf(letter: "A" | "M" | "W"): IdRange {
  const from = KINDS[letter] * NUMBERS_PER_KIND;
  return { from, to: from + NUMBERS_PER_KIND };
}

const SEQUENCES = {
  A: "type_author_seq",
  M: "type_edition_seq",
  W: "type_work_seq",
  T: "type_tag_seq",
  P: "type_publisher_seq",
  L: "list",
};
/**
 * Pattern of an OLID key with at most twelve digits. A mistyped higher number by a bot would raise its sequence beyond
 * the numbers that ids can hold, and search would never find later records.
 */
const OLID_KEY =
  /^\/(?:authors|books|works|tags|publishers|series|lists|people\/[^/]+\/lists)\/([A-Z]+)(\d{1,12})([AMWTPL])$/;

/**
 * Returns the sequence and number of an OLID key: of `/works/OL17W` `type_work_seq` and 17. Ignores other prefixes and
 * larger numbers.
 */
export function sequenceOfKey(key: string, prefix: string): { name: string; number: number } | undefined {
  const match = OLID_KEY.exec(key);
  if (match === null || match[1] !== prefix) return undefined;
  const name = Object.entries(SEQUENCES).find(([letter]) => letter === match[3])?.[1];
  return name === undefined ? undefined : { name, number: Number(match[2]) };
}

const PLACES: ReadonlyMap<string, { readonly folder: string; readonly letter: keyof typeof SEQUENCES }> =
  new Map([
    ["/type/author", { folder: "/authors/", letter: "A" }],
    ["/type/edition", { folder: "/books/", letter: "M" }],
    ["/type/work", { folder: "/works/", letter: "W" }],
    ["/type/tag", { folder: "/tags/", letter: "T" }],
    ["/type/publisher", { folder: "/publishers/", letter: "P" }],
    ["/type/series", { folder: "/series/", letter: "L" }],
    ["/type/list", { folder: "/lists/", letter: "L" }],
  ] as const);

/** Returns the sequence that numbers new records of a type. Returns undefined for types whose keys are chosen. */
export function sequenceOfType(type: string): string | undefined {
  const place = PLACES.get(type);
  return place === undefined ? undefined : SEQUENCES[place.letter];
}

interface NewKey {
  readonly prefix: string;
  readonly number: number;
  /** `/people/<username>` that owns a list; null without an owner. */
  readonly owner: string | null;
}

/** Returns the key of a new record, such as `/works/OL17W`. Returns undefined for types without a sequence. */
export function makeKey(type: string, { prefix, number, owner }: NewKey): string | undefined {
  const place = PLACES.get(type);
  if (place === undefined) return undefined;
  const base = type === "/type/list" && owner !== null ? owner : "";
  return `${base}${place.folder}${prefix}${number}${place.letter}`;
}

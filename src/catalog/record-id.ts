/**
 * The number by which the database knows a record. Records with an OLID carry kind and number of the key in
 * it, so that index rows can be computed without a look-up, records of one kind lie together, and ascending
 * order is the order of the keys whatever order a dump was loaded in. Other keys are numbered as they come.
 */

const NUMBERS_PER_KIND = 2 ** 40;
const KINDS = { other: 0, A: 1, M: 2, W: 3 } as const;
const HIGHEST_NUMBER = NUMBERS_PER_KIND - 1;

/** Half-open range of ids of one kind of record. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

const SEGMENTS = { authors: "A", books: "M", works: "W" } as const;

/** Id of a key `/authors|books|works/<prefix><digits><letter>`; undefined for every other key. */
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

/** Ids of all keys of a kind: authors (A), editions (M), works (W). */
export function idRange(letter: "A" | "M" | "W"): IdRange {
  const from = KINDS[letter] * NUMBERS_PER_KIND;
  return { from, to: from + NUMBERS_PER_KIND };
}

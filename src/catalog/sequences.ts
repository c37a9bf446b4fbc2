/** Which sequence gives out the number of a key (records.md 9). Lists and series share one. */
const SEQUENCES = {
  A: "type_author_seq",
  M: "type_edition_seq",
  W: "type_work_seq",
  T: "type_tag_seq",
  P: "type_publisher_seq",
  L: "list",
};
/**
 * At most twelve digits: one record with a higher number, mistyped by a bot, would take its sequence beyond the numbers
 * that the database knows records by (record-id.ts), and search would never find what is made after it.
 */
const OLID_KEY =
  /^\/(?:authors|books|works|tags|publishers|series|lists|people\/[^/]+\/lists)\/([A-Z]+)(\d{1,12})([AMWTPL])$/;

/** The sequence and number of an OLID key; undefined for keys without an OLID of this prefix, or with a larger one. */
export function sequenceOfKey(key: string, prefix: string): { name: string; number: number } | undefined {
  const match = OLID_KEY.exec(key);
  if (match === null || match[1] !== prefix) return undefined;
  const name = Object.entries(SEQUENCES).find(([letter]) => letter === match[3])?.[1];
  return name === undefined ? undefined : { name, number: Number(match[2]) };
}

/** Where new records of a type go: their folder and the letter of their number. */
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

/** The sequence that gives numbers to new records of a type; undefined for types whose keys are chosen. */
export function sequenceOfType(type: string): string | undefined {
  const place = PLACES.get(type);
  return place === undefined ? undefined : SEQUENCES[place.letter];
}

/** What the key of a new record is made of. */
export interface NewKey {
  readonly prefix: string;
  readonly number: number;
  /** `/people/<username>`: lists go below their owner; null for those without one. */
  readonly owner: string | null;
}

/** Key of a new record of a type that has a sequence: `/works/OL17W`. */
export function newKey(type: string, { prefix, number, owner }: NewKey): string | undefined {
  const place = PLACES.get(type);
  if (place === undefined) return undefined;
  const base = type === "/type/list" && owner !== null ? owner : "";
  return `${base}${place.folder}${prefix}${number}${place.letter}`;
}

/**
 * The four shelves of a reading log, by their number: `key` in paths, `name` on pages, `count` in answers and columns,
 * `member` among the counts of a work; what a page calls all that stands on them, and the works that most have there.
 */
export const SHELVES = [
  {
    id: 1,
    key: "want-to-read",
    name: "Want to Read",
    count: "want_to_read",
    member: "wantToRead",
    total: "Books that patrons want to read",
    leaders: "Most wanted",
  },
  {
    id: 2,
    key: "currently-reading",
    name: "Currently Reading",
    count: "currently_reading",
    member: "currentlyReading",
    total: "Books being read",
    leaders: "Read by most at the moment",
  },
  {
    id: 3,
    key: "already-read",
    name: "Already Read",
    count: "already_read",
    member: "alreadyRead",
    total: "Books read",
    leaders: "Read by most",
  },
  {
    id: 4,
    key: "stopped-reading",
    name: "Stopped Reading",
    count: "stopped_reading",
    member: "stoppedReading",
    total: "Books that were given up",
    leaders: "Given up by most",
  },
] as const;

export type Shelf = (typeof SHELVES)[number];

/** Number of a shelf. */
export type ShelfId = Shelf["id"];

/** What a shelf is called in answers and columns. */
export type ShelfCount = Shelf["count"];

/** How many have a work on each shelf. */
export type ShelfCounts = Readonly<Record<Shelf["member"], number>>;

/** The shelf of what somebody is reading. */
export const CURRENTLY_READING: ShelfId = 2;
/** The shelf where a work goes that is rated. */
export const ALREADY_READ: ShelfId = 3;

/** Names of the shelves in paths, in the order of their numbers. */
export const SHELF_KEYS = SHELVES.map(({ key }) => key);

/** A value for each shelf, under the shelf's names of one kind, in the order of their numbers. */
export function byShelf<Kind extends "count" | "member", Value>(
  kind: Kind,
  valueOf: (shelf: Shelf) => Value,
): Record<Shelf[Kind], Value> {
  // These are the names of all shelves.
  return Object.fromEntries(SHELVES.map((shelf) => [shelf[kind], valueOf(shelf)])) as Record<
    Shelf[Kind],
    Value
  >;
}

/** The shelf with a name; undefined when there is none. */
export function shelfOfKey(key: string): Shelf | undefined {
  return SHELVES.find((shelf) => shelf.key === key);
}

/** The number of a shelf, written as forms have it; undefined when there is no such shelf. */
export function shelfIdOf(text: string): ShelfId | undefined {
  return SHELVES.find(({ id }) => String(id) === text)?.id;
}

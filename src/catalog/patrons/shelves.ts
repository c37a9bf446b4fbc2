/** The four shelves of a reading log, by their number (patrons.md 5.1). */
export const SHELVES = [
  { id: 1, key: "want-to-read", name: "Want to Read", count: "want_to_read" },
  { id: 2, key: "currently-reading", name: "Currently Reading", count: "currently_reading" },
  { id: 3, key: "already-read", name: "Already Read", count: "already_read" },
  { id: 4, key: "stopped-reading", name: "Stopped Reading", count: "stopped_reading" },
] as const;

/** Number of a shelf. */
export type ShelfId = (typeof SHELVES)[number]["id"];

/** The shelf where a work goes that is rated. */
export const ALREADY_READ: ShelfId = 3;

/** Names of the shelves in paths, in the order of their numbers. */
export const SHELF_KEYS = SHELVES.map(({ key }) => key);

/** The shelf with a name; undefined when there is none. */
export function shelfOfKey(key: string): (typeof SHELVES)[number] | undefined {
  return SHELVES.find((shelf) => shelf.key === key);
}

/** The number of a shelf, written as forms have it; undefined when there is no such shelf. */
export function shelfIdOf(text: string): ShelfId | undefined {
  return SHELVES.find(({ id }) => String(id) === text)?.id;
}

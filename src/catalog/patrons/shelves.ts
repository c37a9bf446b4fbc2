import { HOUR_MS } from "../units.ts";
/**
 * The four shelves of a reading log, by their number: `key` in paths, `name` on pages, `count` in responses and columns,
 * `member` among the counts of a work; labels of pages for `total` entries and for the works with most of them
 * (`leaders`).
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

export type ShelfId = Shelf["id"];

/** Name of a shelf in responses and columns. */
export type ShelfCount = Shelf["count"];

export type ShelfCounts = Readonly<Record<Shelf["member"], number>>;

export const CURRENTLY_READING: ShelfId = 2;
/** Shelf that rated works are put onto. */
export const ALREADY_READ: ShelfId = 3;

export const SHELF_KEYS = SHELVES.map(({ key }) => key);

/** Returns a value for each shelf, under the shelf's names of one kind, in the order of their numbers. */
export function mapShelves<Kind extends "count" | "member", Value>(
  kind: Kind,
  valueOf: (shelf: Shelf) => Value,
): Record<Shelf[Kind], Value> {
  // These are the names of all shelves.
  return Object.fromEntries(SHELVES.map((shelf) => [shelf[kind], valueOf(shelf)])) as Record<
    Shelf[Kind],
    Value
  >;
}

export function shelfOfKey(key: string): Shelf | undefined {
  return SHELVES.find((shelf) => shelf.key === key);
}

/** Returns the number of a shelf from the text of a form; undefined if there is no such shelf. */
export function shelfIdOf(text: string): ShelfId | undefined {
  return SHELVES.find(({ id }) => String(id) === text)?.id;
}

/** Periods of trending works, in days; null: all time. */
export const TRENDING_PERIODS = {
  now: 0,
  daily: 1,
  weekly: 7,
  monthly: 30,
  yearly: 365,
  forever: null,
} as const;

export type TrendingPeriod = keyof typeof TRENDING_PERIODS;

/** Names of all periods, the shortest first. */
export const TRENDING_PERIOD_NAMES = ["now", "daily", "weekly", "monthly", "yearly", "forever"] as const;

/** Other names of periods that people type. */
export const PERIOD_ALIASES = { day: "daily", week: "weekly", month: "monthly", year: "yearly" } as const;

/**
 * Entries of shelves that count. `recent`: the newest changes, of any age; else those made since `start` (milliseconds
 * since the epoch; null: all of them).
 */
export type TrendingWindow =
  | { readonly recent: true }
  | { readonly recent: false; readonly start: number | null };

/** Returns the window of a period that ends at `now` and is extended by `hours`. */
export function trendingWindowOf(period: TrendingPeriod, hours: number, now: number): TrendingWindow {
  const days = TRENDING_PERIODS[period];
  if (days === null) return { recent: false, start: null };
  // Q200: no count, but the most recent changes.
  if (days === 0 && hours === 0) return { recent: true };
  // Q201: to the millisecond, not from midnight on.
  const start = now - (days * 24 + hours) * HOUR_MS;
  return { recent: false, start: start <= 0 ? null : start };
}

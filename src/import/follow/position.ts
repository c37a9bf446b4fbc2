import { DAY_MS } from "../../catalog/units.ts";
import * as z from "zod";
import { type ListedPage, type NamedRecord, FOLLOWED_KINDS, isListing } from "./source.ts";
import type { DumpRecord } from "../../catalog/dumps/parse-dump-line.ts";

/** Progress of following a source service. Stored after each request, so that nothing is lost or repeated. */
export const positionSchema = z.object({
  /** Scheme and host of the source service. */
  source: z.url(),
  kinds: z.array(z.enum(FOLLOWED_KINDS)),
  /** True to fetch each revision that a change names, false for the newest only. */
  history: z.boolean(),
  /** True to update only records that exist here, and their editions. */
  part: z.boolean(),
  since: z.iso.date(),
  /** Day whose changes are being read, `YYYY-MM-DD` in UTC. */
  day: z.iso.date(),
  /** Number of changes of the day read since `begun` (milliseconds since the epoch), newest first. */
  offset: z.int().default(0),
  begun: z.int().default(0),
  /** Numbers of the newest finished changes in descending order, and of those read since `begun`. */
  seen: z.array(z.int()).default([]),
  read: z.array(z.int()).default([]),
  /** Entries to fetch before the next changes are read, in the form described at `WANTED_PREFIX`. */
  todo: z.array(z.string()).default([]),
  /** Entries that failed while others succeeded. They are retried when the next day starts. */
  failed: z.array(z.string()).default([]),
  /** No request is made before this time (milliseconds since the epoch), because of `failures` in a row. */
  after: z.int().default(0),
  failures: z.int().default(0),
  problem: z.string().nullable().default(null),
  caught_up: z.boolean().default(false),
  changes: z.int().default(0),
  stored: z.int().default(0),
  /** Days with more changes than the source service lists. */
  incomplete: z.array(z.string()).default([]),
  /** Lock of the follower until this time (milliseconds since the epoch). */
  held: z.int().default(0),
});
export type Position = z.infer<typeof positionSchema>;

/** Page sizes of the first and further requests for a day. Beyond the last offset pages repeat. */
const FIRST_CHANGES = 100;
const FURTHER_CHANGES = 1000;
const OFFSET_MAX = 10_000;
/**
 * Maximum number of remembered change numbers: everything below all of them is done. Concurrent changes do not appear
 * in the order of their numbers.
 */
const SEEN_MAX = 300;
const INCOMPLETE_MAX = 100;
/** Time after midnight when a day counts as over, in milliseconds: clocks differ, and changes may arrive late. */
const DAY_DELAY_MS = 600_000;

export function pagePathOf({ day, offset }: Pick<Position, "day" | "offset">): string {
  return `/recentchanges/${day.replaceAll("-", "/")}.json?limit=${pageChanges(offset)}&offset=${offset}`;
}

function pageChanges(offset: number): number {
  return offset === 0 ? FIRST_CHANGES : FURTHER_CHANGES;
}

function newestIds(...ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => b - a).slice(0, SEEN_MAX);
}

/**
 * Returns the position after a page of a day, with entries for the records that its changes name, as chosen by
 * `entryFor`. Changes come newest first, and new ones shift the others: none is missed, some are seen twice. The day is
 * complete when the page is the last one or reaches finished changes.
 */
export function advancePage(
  position: Position,
  { size, changes, isWhole }: ListedPage,
  { now, entryFor }: { now: number; entryFor: (record: NamedRecord) => string | undefined },
): Position {
  const finished = position.seen.length < SEEN_MAX ? 0 : (position.seen.at(-1) ?? 0);
  const known = new Set([...position.seen, ...position.read]);
  const newChanges = changes.filter(({ id }) => id > finished && !known.has(id));
  const entries = newChanges
    .toReversed()
    .flatMap((change) => change.changes.flatMap((record) => entryFor(record) ?? []));
  const offset = position.offset + size;
  const read = {
    ...position,
    offset,
    begun: position.offset === 0 ? now : position.begun,
    read: newestIds(...position.read, ...changes.map(({ id }) => id)),
    todo: [...new Set([...position.todo, ...entries])],
    changes: position.changes + newChanges.length,
  };
  const isCaughtUp = size < pageChanges(position.offset) || changes.some(({ id }) => id <= finished);
  const isEnd = isWhole && isCaughtUp;
  const isCut = !isEnd && offset > OFFSET_MAX;
  return isEnd || isCut ? afterDay(read, isCut) : read;
}

/** Returns the position after all current changes of a day. Moves to the next day if this one is over. */
function afterDay(position: Position, isCut: boolean): Position {
  const { day, begun } = position;
  const over = Date.parse(`${day}T00:00:00Z`) + DAY_MS;
  const seen = newestIds(...position.seen, ...position.read);
  const incomplete = isCut
    ? [...new Set([...position.incomplete, day])].slice(-INCOMPLETE_MAX)
    : position.incomplete;
  const done = { ...position, seen, read: [], offset: 0, incomplete };
  if (begun < over + DAY_DELAY_MS) return { ...done, caught_up: true };
  const next = new Date(over).toISOString().slice(0, 10);
  const todo = [...position.todo, ...position.failed];
  return { ...done, day: next, caught_up: false, todo, failed: [] };
}

/**
 * Prefix of entries to fetch regardless of the local catalog: records of a list or subject, and the records they refer
 * to. Entries are texts: `<key>` is the newest revision of a record, `<key>?v=3` that revision, `<key>?` the newest by
 * a request of its own, `<path>@100` a listing (`listingPathOf`) from an offset on.
 */
export const WANTED_PREFIX = "+";

/** Keys per request: as many as clients of the interface send, and fewer if each adds its earlier revisions. */
const KEYS_AT_ONCE = { newest: 100, whole: 10 };
const EARLIER_MAX = 1000;

export function entryKeyOf(entry: string): string {
  const [key = ""] = entry.replace(/^\+/, "").split("?");
  return key;
}

/** Returns the listing of an entry, or undefined if the entry is for a record. */
export function parseListing(entry: string): { readonly path: string; readonly offset: number } | undefined {
  const [, path = "", offset = "0"] = /^\+(.*?)(?:@(\d+))?$/.exec(entry) ?? [];
  return isListing(path) ? { path, offset: Number(offset) } : undefined;
}

/** Returns the entries at the start of `todo` for the next request. */
export function pickBatch({ todo, history }: Pick<Position, "todo" | "history">): string[] {
  const most = history ? KEYS_AT_ONCE.whole : KEYS_AT_ONCE.newest;
  const end = todo.findIndex((entry) => entry.includes("?") || parseListing(entry) !== undefined);
  return todo.slice(0, end === -1 ? most : Math.min(Math.max(end, 1), most));
}

/** Returns the path at the source service for record entries: one entry, or several newest revisions. */
export function recordsPathOf(entries: readonly string[]): string {
  if (entries.length > 1)
    return `/api/get_many?keys=${encodeURIComponent(JSON.stringify(entries.map(entryKeyOf)))}`;
  const [key = "", revision = ""] = entries.flatMap((entry) => entry.replace(/^\+/, "").split("?"));
  // The source service does not show lists and series in their stored form by default.
  const raw = /\/(?:lists|series)\//.test(key) ? "_raw=true" : "";
  const query = [revision, raw].filter((part) => part !== "").join("&");
  return `${encodeURI(key)}.json${query && `?${query}`}`;
}

/** Returns entries for the revisions before these records, for entries that requested the newest ones. */
export function listEarlierRevisions(records: readonly DumpRecord[], entries: readonly string[]): string[] {
  const newestKeys = new Set(entries.filter((entry) => !entry.includes("?v=")).map(entryKeyOf));
  return records
    .filter(({ key }) => newestKeys.has(key))
    .flatMap(({ key, revision }) =>
      Array.from(
        { length: Math.min(revision - 1, EARLIER_MAX) },
        (_, n) => `${WANTED_PREFIX}${key}?v=${revision - 1 - n}`,
      ),
    );
}

/** Splits a batch without a response into single retries, and moves a failed single entry to `failed`. */
export function deferBatch(position: Position): Position {
  const batch = pickBatch(position);
  const rest = position.todo.slice(batch.length);
  if (batch.length > 1) return { ...position, todo: [...batch.map((entry) => `${entry}?`), ...rest] };
  return { ...position, todo: rest, failed: [...new Set([...position.failed, ...batch])] };
}

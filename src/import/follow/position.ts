import * as z from "zod";
import { type ListedChange, type ListedPage, type NamedRecord, FOLLOWED_KINDS } from "./source.ts";

/** How far a service has followed another one. It is stored after each request, so that nothing is lost or done twice. */
export const positionSchema = z.object({
  /** Scheme and host of the other service. */
  source: z.url(),
  kinds: z.array(z.enum(FOLLOWED_KINDS)),
  /** Whether each revision that a change names is wanted, or the newest one alone. */
  history: z.boolean(),
  /** Whether only records that are here already, and their editions, are kept up to date. */
  part: z.boolean(),
  /** The first day. */
  since: z.iso.date(),
  /** The day whose changes are read, `YYYY-MM-DD` in UTC. */
  day: z.iso.date(),
  /** Changes of the day that were read since `begun` (milliseconds since the epoch), newest first. */
  offset: z.int().default(0),
  begun: z.int().default(0),
  /** Numbers of the newest changes that are done, greatest first; and of those that were read since `begun`. */
  seen: z.array(z.int()).default([]),
  read: z.array(z.int()).default([]),
  /** What is to be asked for before the next changes are read, as entries.ts writes it. */
  todo: z.array(z.string()).default([]),
  /** What the other service did not answer although it answered others: it is asked for again when the next day begins. */
  failed: z.array(z.string()).default([]),
  /** Nothing is asked before (milliseconds since the epoch), because so many requests have failed one after the other. */
  after: z.int().default(0),
  failures: z.int().default(0),
  problem: z.string().nullable().default(null),
  /** True when there was nothing new. */
  caught_up: z.boolean().default(false),
  changes: z.int().default(0),
  stored: z.int().default(0),
  /** Days of which more was changed than the other service lists. */
  incomplete: z.array(z.string()).default([]),
  /** Somebody follows until then (milliseconds since the epoch). */
  held: z.int().default(0),
});
export type Position = z.infer<typeof positionSchema>;

/** Changes of the first request for a day, and of each further one; beyond the last offset the interface repeats a page. */
const FIRST_CHANGES = 100;
const FURTHER_CHANGES = 1000;
const OFFSET_MAX = 10_000;
/**
 * Numbers that are remembered: what is below them all is done. Changes that are made side by side come to light in another
 * order than that of their numbers.
 */
const SEEN_MAX = 300;
/** Days that are remembered as incomplete. */
const INCOMPLETE_MAX = 100;
/** How long after midnight a day counts as over, in milliseconds: clocks differ, and changes may come late. */
const DAY_DELAY_MS = 600_000;
const DAY_MS = 86_400_000;

/** Where the changes that come next are listed. */
export function pagePath({ day, offset }: Pick<Position, "day" | "offset">): string {
  return `/recentchanges/${day.replaceAll("-", "/")}.json?limit=${pageChanges(offset)}&offset=${offset}`;
}

function pageChanges(offset: number): number {
  return offset === 0 ? FIRST_CHANGES : FURTHER_CHANGES;
}

/** What of a page was not done before. */
function fresh({ seen, read }: Position, page: readonly ListedChange[]): ListedChange[] {
  const known = new Set([...seen, ...read]);
  return page.filter(({ id }) => id > lowest(seen) && !known.has(id));
}

function lowest(seen: readonly number[]): number {
  return seen.length < SEEN_MAX ? 0 : (seen.at(-1) ?? 0);
}

function greatest(...ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((one, other) => other - one).slice(0, SEEN_MAX);
}

/**
 * The position after a page of a day, with what is to be asked for of the records that its changes name: `entryFor` says it.
 * Changes come newest first, and new ones push the others on: none is passed over, some are seen twice. The day is read when
 * the page ends, or reaches what was done before.
 */
export function afterPage(
  position: Position,
  { size, changes, isWhole }: ListedPage,
  { now, entryFor }: { readonly now: number; readonly entryFor: (one: NamedRecord) => string | undefined },
): Position {
  const news = fresh(position, changes);
  const entries = news.toReversed().flatMap((one) => one.changes.flatMap((named) => entryFor(named) ?? []));
  const offset = position.offset + size;
  const read = {
    ...position,
    offset,
    begun: position.offset === 0 ? now : position.begun,
    read: greatest(...position.read, ...changes.map(({ id }) => id)),
    todo: [...new Set([...position.todo, ...entries])],
    changes: position.changes + news.length,
  };
  const isDone = size < pageChanges(position.offset) || changes.some(({ id }) => id <= lowest(position.seen));
  const isEnd = isWhole && isDone;
  const isCut = !isEnd && offset > OFFSET_MAX;
  return isEnd || isCut ? afterDay(read, isCut) : read;
}

/** The position after all changes of a day so far. It goes on with the next one when the day is over. */
function afterDay(position: Position, isCut: boolean): Position {
  const { day, begun } = position;
  const over = Date.parse(`${day}T00:00:00Z`) + DAY_MS;
  const seen = greatest(...position.seen, ...position.read);
  const incomplete = isCut
    ? [...new Set([...position.incomplete, day])].slice(-INCOMPLETE_MAX)
    : position.incomplete;
  const done = { ...position, seen, read: [], offset: 0, incomplete };
  if (begun < over + DAY_DELAY_MS) return { ...done, caught_up: true };
  const next = new Date(over).toISOString().slice(0, 10);
  const todo = [...position.todo, ...position.failed];
  return { ...done, day: next, caught_up: false, todo, failed: [] };
}

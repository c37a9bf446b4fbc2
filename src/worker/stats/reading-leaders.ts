import { datetimeText } from "../../catalog/datetime.ts";
import { type Leaderboard, type ReadingTotals, readReadingTotals } from "../../db/stats/reading.ts";
import { derived } from "../answers/derived.ts";
import type { RequestContext } from "../context.ts";
import { shownBooks } from "../people/shown-books.ts";
import { TOTALS_SECONDS } from "./totals.ts";

/** A work of a leaderboard. */
export interface LeadingWork {
  readonly key: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly count: number;
}

/** What patrons read and rate, without any patron. */
export interface ReadingLeaders {
  readonly totals: ReadingTotals["totals"];
  readonly works: number;
  readonly readers: number;
  readonly leaderboards: Readonly<Record<Leaderboard, readonly LeadingWork[]>>;
  /** When they were counted, in naive UTC. */
  readonly counted: string;
}

/** The reading logs of all patrons in numbers, some hours old at most, and the first `limit` works of each ranking. */
export async function readingLeaders(context: RequestContext, limit: number): Promise<ReadingLeaders> {
  const { totals, works, readers, leaders, counted } = await derived(context.stores.cache, {
    name: "reading-totals:v2",
    seconds: TOTALS_SECONDS,
    make: async () => ({
      ...(await readReadingTotals(context.stores.patrons.withSession("first-unconstrained"))),
      counted: datetimeText(context.now),
    }),
    waitUntil: (promise) => context.waitUntil(promise),
  });
  const numbers = Object.values(leaders).flatMap((list) => list.slice(0, limit).map(({ work }) => work));
  const books = await shownBooks(context, [...new Set(numbers)]);
  const first = (board: Leaderboard): LeadingWork[] => {
    const { [board]: list } = leaders;
    return list.slice(0, limit).flatMap(({ work, count }) => {
      const book = books.get(work);
      return book === undefined ? [] : [{ key: book.key, title: book.title, authors: book.authors, count }];
    });
  };
  return {
    totals,
    works,
    readers,
    leaderboards: {
      want_to_read: first("want_to_read"),
      currently_reading: first("currently_reading"),
      already_read: first("already_read"),
      stopped_reading: first("stopped_reading"),
      ratings: first("ratings"),
    },
    counted,
  };
}

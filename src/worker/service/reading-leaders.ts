import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { byShelf } from "../../catalog/patrons/shelves.ts";
import { type Leaderboard, LEADERS_MAX, readReadingTotals } from "../../db/patrons/leaders.ts";
import { derived } from "../http/derived-answers.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { lenientInteger } from "../http/parameters.ts";
import { json } from "../http/reply.ts";
import { shownBooks } from "../patrons/people/shown-books.ts";
import { STATS_CONTROL, TOTALS_SECONDS } from "./totals.ts";

const LEADERS_LIMIT = 10;

const boards = <Value extends z.ZodType>(value: Value) =>
  z.object({ ...byShelf("count", () => value), ratings: value });
const answer = z.object({
  totals: boards(z.int()).describe("Entries of all shelves, and ratings"),
  works: z.int().describe("Works on any shelf, or rated"),
  readers: z.int().describe("Patrons with a book on a shelf"),
  leaderboards: boards(
    z.array(z.object({ key: z.string(), title: z.string(), authors: z.array(z.string()), count: z.int() })),
  ),
  counted: z.string().describe("When they were counted, in UTC"),
});

export const readingLogStats = operation({
  id: "readingLogStats",
  summary: "Reading logs and ratings in numbers, with the works that lead them",
  tag: "system",
  // Q448
  query: {
    limit: lenientInteger(LEADERS_LIMIT, { min: 1, max: LEADERS_MAX }).describe(
      "Works of each ranking, at most 50",
    ),
    mode: z.string().optional().describe("Has no effect"),
  },
  responses: { 200: { description: "Numbers, counted every few hours", schema: answer } },
  handle: async ({ query: { limit } }, context) =>
    json(await readLeaders(context, limit), { cacheControl: STATS_CONTROL }),
});

/** Returns totals of all reading logs, at most some hours old, and the first `limit` works of each ranking. */
async function readLeaders(context: RequestContext, limit: number): Promise<z.infer<typeof answer>> {
  const { totals, works, readers, leaders, counted } = await derived(context, {
    name: "reading-totals:v2",
    seconds: TOTALS_SECONDS,
    make: async () => ({
      ...(await readReadingTotals(context.stores.patrons.withSession("first-unconstrained"))),
      counted: datetimeText(context.now),
    }),
  });
  const numbers = Object.values(leaders).flatMap((list) => list.slice(0, limit).map(({ work }) => work));
  const books = await shownBooks(context, [...new Set(numbers)]);
  const leadersOf = (board: Leaderboard) =>
    leaders[board].slice(0, limit).flatMap(({ work, count }) => {
      const book = books.get(work);
      if (book === undefined) return [];
      const { key, title, authors = [] } = book;
      return [{ key, title, authors: authors.map(({ name }) => name), count }];
    });
  return {
    totals,
    works,
    readers,
    leaderboards: { ...byShelf("count", ({ count }) => leadersOf(count)), ratings: leadersOf("ratings") },
    counted,
  };
}

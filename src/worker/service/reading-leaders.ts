import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { SHELVES, byShelf } from "../../catalog/patrons/shelves.ts";
import { type Leaderboard, LEADERS_MAX, readReadingTotals } from "../../db/patrons/leaders.ts";
import { derived } from "../http/derived-answers.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { lenientInteger } from "../http/parameters.ts";
import { type Reply, json } from "../http/reply.ts";
import { shownBooks } from "../patrons/people/book-list.ts";
import { page } from "../ui/layout.ts";
import { SHELF_WORDS } from "../ui/dropper.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { countedAt, link } from "../ui/parts.ts";
import { STATS_CONTROL, TOTALS_SECONDS } from "./totals.ts";
import { table } from "../ui/table.ts";
import { type Words, number, say } from "../ui/words.ts";

const LEADERS_LIMIT = 10;

// Q448
const parameters = {
  limit: lenientInteger(LEADERS_LIMIT, { min: 1, max: LEADERS_MAX }).describe(
    "Works of each ranking, at most 50",
  ),
  mode: z.string().optional().describe("Has no effect"),
};
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
  query: parameters,
  responses: { 200: { description: "Numbers, counted every few hours", schema: answer } },
  handle: async ({ query: { limit } }, context) =>
    json(await readLeaders(context, limit), { cacheControl: STATS_CONTROL }),
});

export const readingLogStatsPage = operation({
  id: "readingLogStatsPage",
  summary: "Reading logs and ratings in numbers, as a page",
  tag: "system",
  query: parameters,
  responses: { 200: { description: "A page, or JSON for programs", schema: answer, also: ["text/html"] } },
  programs: readingLogStats,
  async handle({ query: { limit } }, context) {
    return readingLeadersPage(await readLeaders(context, limit));
  },
});

type ReadingLeaders = z.infer<typeof answer>;

/** Returns totals of all reading logs, at most some hours old, and the first `limit` works of each ranking. */
async function readLeaders(context: RequestContext, limit: number): Promise<ReadingLeaders> {
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

const BOARDS: readonly (readonly [board: Leaderboard, shelf: Words])[] = [
  ...SHELVES.map(({ id, count }) => [count, SHELF_WORDS[id]] as const),
  ["ratings", "leaders.ratings"],
];

function readingLeadersPage(leaders: ReadingLeaders): Reply {
  const { totals, works, readers, leaderboards, counted } = leaders;
  return page({
    title: say("leaders.title"),
    body: markup`${table({
      caption: say("leaders.caption"),
      columns: [say("stats.what"), say("stats.how_many")],
      rows: [
        [say("leaders.with_log"), number(readers)],
        [say("leaders.works"), number(works)],
        ...BOARDS.map(([board, words]) => [say(words), number(totals[board])]),
      ],
    })}
${countedAt(counted)}
${BOARDS.map(([board, words]) => leadersTable(words, leaderboards[board]))}
<p>${link("/stats/readinglog.json", say("layout.json"))} · ${link("/stats", say("stats.all"))}</p>`,
    cacheControl: STATS_CONTROL,
  });
}

function leadersTable(words: Words, list: ReadingLeaders["leaderboards"]["ratings"]): Markup | undefined {
  if (list.length === 0) return undefined;
  return table({
    caption:
      words === "leaders.ratings"
        ? say("leaders.most_rated")
        : say("leaders.on_shelf", { shelf: say(words) }),
    columns: [say("leaders.book"), say("leaders.authors"), say("leaders.readers")],
    rows: list.map(({ key, title, authors, count }) => [link(key, title), authors.join(", "), number(count)]),
  });
}

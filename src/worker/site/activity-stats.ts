import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { countWaitingPatrons } from "../../db/lending/read-loans.ts";
import type { Stores } from "../http/bindings.ts";
import { type AnyOperation, type Parameters, operation } from "../http/operation.ts";
import { json, redirect } from "../http/reply.ts";
import { STATS_KINDS, requirePeriod, loansCsv, loansPerDay, periodText } from "../lending/loan-stats.ts";
import { STATS_CONTROL, TOTALS_SECONDS } from "./totals.ts";
import { waitingPage } from "./waiting-page.ts";
import { mapShelves } from "../../catalog/patrons/shelves.ts";
import { type Leaderboard, LEADERS_MAX, readReadingTotals } from "../../db/patrons/leaders.ts";
import { readDerived } from "../http/derived-answers.ts";
import { lenientInteger } from "../http/parameters.ts";
import { readBookViews } from "../patrons/people/book-list.ts";

const kind = z.enum(STATS_KINDS).describe("Category by which loans are counted");
const value = z
  .string()
  .describe("Library, collection, subject or other value of the category; blanks of a subject as _");

export const lendingStats = statsOperation("lendingStats", {});
export const lendingStatsOf = statsOperation("lendingStatsOf", { kind, value });

function statsOperation(id: string, path: Parameters): AnyOperation {
  return operation({
    id,
    summary: "Count loans by day",
    tag: "lending",
    path,
    query: { t: periodText, download: z.enum(["csv"]).optional() },
    responses: {
      200: {
        description: "Loans by day, as JSON or CSV",
        schema: z.object({
          kind: z.string().nullable(),
          value: z.string().nullable(),
          period: z.object({ from: z.string(), to: z.string() }),
          total_loans: z.int(),
          loans_per_day: z.array(z.tuple([z.string(), z.int()]).meta({ id: "DayAndLoans" })),
        }),
        also: ["application/csv"],
      },
      422: { description: "Period is missing or too long" },
    },
    async handle({ path: parameters, query: { t: days, download } }, context) {
      const filter = loanFilter.parse(parameters);
      const { kind: by = null, value: of = null } = filter;
      const period = requirePeriod(days, context);
      const perDay = await loansPerDay(context, filter, period);
      if (download === "csv") return loansCsv(perDay, `${by ?? "lending"}-${of ?? "all"}`);
      const body = {
        kind: by,
        value: of,
        period: { from: period.firstDay, to: period.lastDay },
        total_loans: perDay.reduce((sum, [, loans]) => sum + loans, 0),
        loans_per_day: perDay,
      };
      return json(body, { cacheControl: STATS_CONTROL });
    },
  });
}

const loanFilter = z.object({ kind: kind.optional(), value: value.optional() });

export const lendingStatsPage = homeRedirect("lendingStatsPage", {});
export const lendingStatsOfPage = homeRedirect("lendingStatsOfPage", { kind: z.string(), value: z.string() });

function homeRedirect(id: string, path: Parameters): AnyOperation {
  return operation({
    id,
    summary: "Redirect to the home page; see the same address with .json for the numbers",
    tag: "lending",
    path,
    responses: { 303: { description: "Redirect to the home page" } },
    // Q290: pages of lending statistics have led home for years; programs find the numbers at `….json`.
    handle: () => redirect(303, "/"),
  });
}

const waitingAnswer = z.object({ items: z.int(), waiting: z.int(), available: z.int() });

export const waitingStats = operation({
  id: "waitingStats",
  summary: "Count holds",
  tag: "lending",
  responses: {
    200: {
      description: "Items with a waiting list, holds that wait, and holds that are ready",
      schema: waitingAnswer,
    },
  },
  handle: async (_input, { stores }) =>
    json(await readWaitingCounts(stores), { cacheControl: STATS_CONTROL }),
});

export const waitingStatsPage = operation({
  id: "waitingStatsPage",
  summary: "Show the number of holds",
  tag: "lending",
  responses: {
    200: { description: "Page, or JSON for programs", schema: waitingAnswer, also: ["text/html"] },
  },
  programs: waitingStats,
  async handle(_input, { stores, now }) {
    const counts = await readWaitingCounts(stores);
    return { ...waitingPage(counts, formatDatetime(now)), cacheControl: STATS_CONTROL };
  },
});

function readWaitingCounts({ patrons }: Stores) {
  return countWaitingPatrons(patrons.withSession("first-unconstrained"));
}

const LEADERS_LIMIT = 10;

const boards = <Board extends z.ZodType>(board: Board) =>
  z.object({ ...mapShelves("count", () => board), ratings: board });
const answer = z.object({
  totals: boards(z.int()).describe("Books on all shelves, and ratings"),
  works: z.int().describe("Works on any shelf, or rated"),
  readers: z.int().describe("Patrons with a book on a shelf"),
  leaderboards: boards(
    z.array(z.object({ key: z.string(), title: z.string(), authors: z.array(z.string()), count: z.int() })),
  ),
  counted: z.string().describe("Time of counting, in UTC"),
});

export const readingLogStats = operation({
  id: "readingLogStats",
  summary: "Get statistics of reading logs and ratings, with the leading works",
  tag: "system",
  // Q448
  query: {
    limit: lenientInteger(LEADERS_LIMIT, { min: 1, max: LEADERS_MAX }).describe(
      "Number of works in each ranking, at most 50",
    ),
    mode: z.string().optional().describe("Ignored"),
  },
  responses: { 200: { description: "Statistics, updated every few hours", schema: answer } },
  async handle({ query: { limit } }, context) {
    const { totals, works, readers, leaders, counted } = await readDerived(context, {
      name: "reading-totals:v2",
      seconds: TOTALS_SECONDS,
      make: async () => ({
        ...(await readReadingTotals(context.stores.patrons.withSession("first-unconstrained"))),
        counted: formatDatetime(context.now),
      }),
    });
    const numbers = Object.values(leaders).flatMap((list) => list.slice(0, limit).map(({ work }) => work));
    const books = await readBookViews(context, [...new Set(numbers)]);
    const leadersOf = (board: Leaderboard) =>
      leaders[board].slice(0, limit).flatMap(({ work, count }) => {
        const book = books.get(work);
        if (book === undefined) return [];
        const { key, title, authors = [] } = book;
        return [{ key, title, authors: authors.map(({ name }) => name), count }];
      });
    const leaderboards = {
      ...mapShelves("count", ({ count }) => leadersOf(count)),
      ratings: leadersOf("ratings"),
    };
    return json({ totals, works, readers, leaderboards, counted }, { cacheControl: STATS_CONTROL });
  },
});

import * as z from "zod";
import { LEADERS_MAX } from "../../../db/stats/reading.ts";
import { operation } from "../../operation.ts";
import { readingLeadersPage } from "../../pages/stats/reading-leaders-page.ts";
import { json } from "../../reply.ts";
import { programAnswer } from "../../search-pages/program-answer.ts";
import { readingLeaders } from "../../stats/reading-leaders.ts";
import { lenientInteger } from "../../validation/parameters.ts";
import { wantsHtml } from "../../wants-html.ts";
import { STATS_CONTROL } from "./totals.ts";

/** Works of each ranking when no limit is given (lookup.md 17.2). */
export const LEADERS_LIMIT = 10;

// Q448
const parameters = {
  limit: lenientInteger(LEADERS_LIMIT, { min: 1, max: LEADERS_MAX }).describe(
    "Works of each ranking, at most 50",
  ),
  mode: z.string().optional().describe("Has no effect"),
};
const boards = <Value extends z.ZodType>(value: Value) =>
  z.object({
    want_to_read: value,
    currently_reading: value,
    already_read: value,
    stopped_reading: value,
    ratings: value,
  });
const answer = z.object({
  totals: boards(z.int()).describe("Entries of all shelves, and ratings"),
  works: z.int().describe("Works on any shelf, or rated"),
  readers: z.int().describe("Patrons with a book on a shelf"),
  leaderboards: boards(
    z.array(z.object({ key: z.string(), title: z.string(), authors: z.array(z.string()), count: z.int() })),
  ),
  counted: z.string().describe("When they were counted, in UTC"),
});

/** `GET /stats/readinglog.json`: what patrons read and rate, without any patron (lookup.md 17.2). */
export const readingLogStats = operation({
  id: "readingLogStats",
  summary: "Reading logs and ratings in numbers, with the works that lead them",
  tag: "system",
  query: parameters,
  responses: { 200: { description: "Numbers, counted every few hours", schema: answer } },
  handle: async ({ query: { limit } }, context) =>
    json(await readingLeaders(context, limit), { cacheControl: STATS_CONTROL }),
});

const asJson = programAnswer(readingLogStats);

/** `GET /stats/readinglog`: the same for people. */
export const readingLogStatsPage = operation({
  id: "readingLogStatsPage",
  summary: "Reading logs and ratings in numbers, as a page",
  tag: "system",
  query: parameters,
  responses: { 200: { description: "A page, or JSON for programs", schema: answer, also: ["text/html"] } },
  async handle({ query: { limit } }, context) {
    if (!wantsHtml(context.request)) return asJson(context);
    return readingLeadersPage(await readingLeaders(context, limit), STATS_CONTROL);
  },
});

import * as z from "zod";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { goalProgress } from "../../pages/reading/goal-progress.ts";
import { GOAL_YEAR_MAX } from "../../reading/goal.ts";
import { patronOf } from "../../http/session.ts";
import { integer } from "../../http/parameters.ts";

/** `GET /partials/ReadingGoalProgress.json`: how a goal is getting on, as a piece of a page (patrons.md 7). */
export const goalProgressPartial = operation({
  id: "readingGoalProgress",
  summary: "How one's own reading goal is getting on, as HTML",
  tag: "reading",
  query: { year: integer(z.int().gt(0).lte(GOAL_YEAR_MAX)).optional().describe("This year if absent") },
  responses: {
    200: { description: "A piece of a page", schema: z.object({ partials: z.string() }) },
    401: { description: "Not logged in" },
  },
  async handle({ query }, context) {
    const { username } = await ownSession(context);
    const year = query.year ?? new Date(context.now).getUTCFullYear();
    const { diary } = patronOf(context.stores, username);
    const [[goal], booksRead] = await Promise.all([diary.goals(year), diary.booksRead(year)]);
    return privateJson({ partials: String(goalProgress({ year, booksRead, target: goal?.target })) });
  },
});

import * as z from "zod";
import { ownSession } from "../../accounts/own-session.ts";
import { privateJson } from "../../http/reply.ts";
import { operation } from "../../http/operation.ts";
import { GOAL_YEAR_MAX } from "../../reading/goal.ts";
import { patronOf } from "../../http/session.ts";
import { integer } from "../../http/parameters.ts";

/** `GET /reading-goal.json`: how many books one wants to read, by year (patrons.md 7). */
export const readingGoals = operation({
  id: "readingGoals",
  summary: "One's own reading goals",
  tag: "reading",
  query: { year: integer(z.int().gt(0).lte(GOAL_YEAR_MAX)).optional().describe("Only that of this year") },
  responses: {
    200: {
      description: "By year",
      schema: z.object({
        status: z.literal("ok"),
        goal: z.array(z.object({ year: z.int(), goal: z.int() })),
      }),
    },
    401: { description: "Not logged in" },
  },
  async handle({ query: { year } }, context) {
    const { username } = await ownSession(context);
    const goals = await patronOf(context.stores, username).diary.goals(year);
    const goal = goals.map(({ year: of, target }) => ({ year: of, goal: target }));
    return privateJson({ status: "ok", goal });
  },
});

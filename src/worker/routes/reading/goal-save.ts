import * as z from "zod";
import { operation } from "../../http/operation.ts";
import { done } from "../../reading/done.ts";
import { GOAL_MAX, GOAL_YEAR_MAX, wantedGoal } from "../../reading/goal.ts";
import { ownWriter } from "../../reading/own-writer.ts";
import { READING_BODY_BYTES, backField } from "../../reading/parameters.ts";
import { integer } from "../../http/parameters.ts";

/** `POST /reading-goal.json`: sets, changes or removes the goal of a year (patrons.md 7). */
export const saveReadingGoal = operation({
  id: "saveReadingGoal",
  summary: "Set the reading goal of a year, or remove it",
  tag: "reading",
  form: {
    goal: integer(z.int().gte(0).lte(GOAL_MAX))
      .default(0)
      .describe("Books; 0 removes the goal with is_update"),
    year: integer(z.int().gt(0).lte(GOAL_YEAR_MAX)).optional().describe("This year if absent"),
    is_update: z.string().optional().describe("Whatever its value: a goal that there is already"),
    redir_url: backField,
  },
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: { description: "Done", schema: z.object({ status: z.literal("ok") }) },
    303: { description: "For people: back to the page with the form" },
    401: { description: "Not logged in" },
    403: { description: "The account may read only" },
  },
  async handle({ form: { redir_url: target, ...form } }, context) {
    const { patron } = await ownWriter(context);
    const { now } = context;
    const wanted = wantedGoal(form, now);
    if (wanted.target === 0) await patron.diary.removeGoal(wanted.year);
    else await patron.diary.setGoal({ ...wanted, now });
    return done(context, { status: "ok" }, target);
  },
});

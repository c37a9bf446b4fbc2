import * as z from "zod";
import { operation } from "../../http/operation.ts";
import { writePart } from "../../http/pages/write-page.ts";
import { integer } from "../../http/parameters.ts";
import { privateJson } from "../../http/reply.ts";
import { backField, ownChange, requireOwner, valueError } from "./own-data.ts";
import { goalProgress } from "./partials-page.ts";

const goalYear = integer(z.int().gt(0).lte(9999)).optional();

export const readingGoals = operation({
  id: "readingGoals",
  summary: "Get your reading goals",
  tag: "reading",
  query: { year: goalYear.describe("Only the goal of this year") },
  responses: {
    200: {
      description: "Goals by year",
      schema: z
        .object({ status: z.literal("ok"), goal: z.array(z.object({ year: z.int(), goal: z.int() })) })
        .meta({ id: "ReadingGoalsResponse" }),
    },
  },
  async handle({ query: { year } }, context) {
    const { patron } = await requireOwner(context);
    const goals = await patron.diary.goals(year);
    const goal = goals.map((entry) => ({ year: entry.year, goal: entry.target }));
    return privateJson({ status: "ok", goal });
  },
});

export const GOAL_MAX = 10_000;

export const saveReadingGoal = ownChange({
  id: "saveReadingGoal",
  summary: "Set or remove the reading goal of a year",
  form: {
    goal: integer(z.int().gte(0).lte(GOAL_MAX))
      .default(0)
      .describe("Number of books; 0 with is_update removes the goal"),
    year: goalYear.describe("Default: current year"),
    is_update: z.string().optional().describe("Any value: update an existing goal"),
    redir_url: backField,
  },
  responses: { 200: { description: "Goal saved or removed", schema: z.object({ status: z.literal("ok") }) } },
  async submit({ form: { redir_url: _target, ...form } }, { patron }, { now }) {
    const { goal } = form;
    const isUpdate = form.is_update !== undefined;
    if (!isUpdate && goal === 0) {
      throw valueError(["body"], { key: "validation.goal" }, form);
    }
    if (isUpdate && form.year === undefined) {
      throw valueError(["body"], { key: "validation.goal_year" }, form);
    }
    const year = form.year ?? new Date(now).getUTCFullYear();
    if (goal === 0) await patron.diary.removeGoal(year);
    else await patron.diary.setGoal({ year, target: goal, now });
    return { json: { status: "ok" }, words: goal === 0 ? "notice.goal_deleted" : "notice.goal_set" };
  },
});

export const goalProgressPartial = operation({
  id: "readingGoalProgress",
  summary: "Get your progress towards a reading goal as an HTML fragment",
  tag: "reading",
  query: { year: goalYear.describe("Default: current year") },
  responses: { 200: { description: "HTML fragment", schema: z.object({ partials: z.string() }) } },
  async handle({ query }, context) {
    const { patron } = await requireOwner(context);
    const { diary } = patron;
    const year = query.year ?? new Date(context.now).getUTCFullYear();
    const [[goal], booksRead] = await Promise.all([diary.goals(year), diary.booksRead(year)]);
    const partials = await writePart(goalProgress(year, booksRead, goal?.target), context);
    return privateJson({ partials });
  },
});

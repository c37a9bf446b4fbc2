import * as z from "zod";
import { operation } from "../../http/operation.ts";
import { readerPreferring } from "../../http/pages/write-page.ts";
import { integer } from "../../http/parameters.ts";
import { privateJson } from "../../http/reply.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { percentage, t } from "../../ui/words.ts";
import {
  OWN_WRITE_RESPONSES,
  READING_BODY_BYTES,
  backField,
  requireOwnWriter,
  requireOwner,
  sendWritten,
  valueError,
} from "./own-data.ts";

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

export const saveReadingGoal = operation({
  id: "saveReadingGoal",
  summary: "Set or remove the reading goal of a year",
  tag: "reading",
  form: {
    goal: integer(z.int().gte(0).lte(GOAL_MAX))
      .default(0)
      .describe("Number of books; 0 with is_update removes the goal"),
    year: goalYear.describe("Default: current year"),
    is_update: z.string().optional().describe("Any value: update an existing goal"),
    redir_url: backField,
  },
  bodyBytes: READING_BODY_BYTES,
  responses: {
    200: { description: "Goal saved or removed", schema: z.object({ status: z.literal("ok") }) },
    ...OWN_WRITE_RESPONSES,
  },
  async handle({ form: { redir_url: target, ...form } }, context) {
    const { patron } = await requireOwnWriter(context);
    const { now } = context;
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
    const words = goal === 0 ? "notice.goal_deleted" : "notice.goal_set";
    return sendWritten(context, { status: "ok" }, { target, words });
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
    const reader = await readerPreferring(context.request);
    return privateJson({ partials: renderProgress(year, booksRead, goal?.target).textFor(reader) });
  },
});

function renderProgress(year: number, booksRead: number, target: number | undefined): Markup {
  if (target === undefined) {
    return markup`<p class="reading-goal">${t("goal.progress_without", { count: booksRead, year: String(year) })}</p>`;
  }
  // More than 100 if more was read.
  const percent = percentage(Math.floor((booksRead / target) * 100) / 100);
  return markup`<div class="reading-goal">
  <p id="reading-goal-${year}">${t("goal.progress", { count: booksRead, target, year: String(year), percent })}</p>
  <progress max="${target}" value="${Math.min(booksRead, target)}" aria-labelledby="reading-goal-${year}"></progress>
</div>`;
}

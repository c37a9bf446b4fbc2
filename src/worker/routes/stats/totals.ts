import * as z from "zod";
import type { RequestContext } from "../../context.ts";
import { operation } from "../../operation.ts";
import { totalsPage } from "../../pages/stats/totals-page.ts";
import { json } from "../../reply.ts";
import { programAnswer } from "../../search-pages/program-answer.ts";
import { loansPerDay } from "../../stats/lending-stats.ts";
import { STATS_DAYS, periodOf } from "../../stats/period.ts";
import { catalogTotals } from "../../stats/totals.ts";
import { wantsHtml } from "../../wants-html.ts";

/** How long clients may keep statistics. */
export const STATS_CONTROL = "public, max-age=60";

const totals = z.object({
  works: z.int(),
  editions: z.int(),
  authors: z.int(),
  subjects: z.int(),
  lists: z.int(),
  series: z.int(),
  ebooks: z.int().describe("Works that can be read or borrowed"),
  members: z.int(),
  changes: z.int(),
  recent: z.object({ days: z.int(), changes: z.int(), logins: z.int() }),
  counted: z.string().describe("When they were counted, in UTC"),
});

/** `GET /stats.json`: the catalog in numbers (lookup.md 17.2). */
export const stats = operation({
  id: "stats",
  summary: "The catalog in numbers, counted every few hours",
  tag: "system",
  responses: { 200: { description: "Numbers", schema: totals } },
  handle: async (_input, context) => json(await catalogTotals(context), { cacheControl: STATS_CONTROL }),
});

const asJson = programAnswer(stats);

/** `GET /stats`: the same for people, with the loans of the last days. */
export const statsPage = operation({
  id: "statsPage",
  summary: "The catalog in numbers, as a page",
  tag: "system",
  responses: { 200: { description: "A page, or JSON for programs", schema: totals, also: ["text/html"] } },
  async handle(_input, context) {
    if (!wantsHtml(context.request)) return asJson(context);
    const [counted, loans] = await Promise.all([catalogTotals(context), loansOfLate(context)]);
    return totalsPage(counted, loans, STATS_CONTROL);
  },
});

async function loansOfLate(context: RequestContext): Promise<readonly (readonly [string, number])[]> {
  const period = periodOf(`${STATS_DAYS.default}days`, context.now);
  return period === undefined ? [] : loansPerDay(context, {}, period);
}

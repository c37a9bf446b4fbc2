import * as z from "zod";
import { operation } from "../../operation.ts";
import { redirect } from "../../reply.ts";
import { loansPerDay } from "../../stats/lending-stats.ts";
import { loansCsv } from "../../stats/loans-csv.ts";
import { STATS_DAYS, periodOf } from "../../stats/period.ts";
import { validationFailed } from "../../errors.ts";

/** `GET /libraries/stats`: where the numbers are now (lookup.md 17.3). */
export const libraryStats = operation({
  id: "libraryStats",
  summary: "Leads to the numbers of loans",
  tag: "libraries",
  responses: { 303: { description: "To the numbers of loans" } },
  handle: () => redirect(303, "/stats/lending"),
});

/** `GET /libraries/stats/<name>.csv`: loans of a library by day, as `/stats/lending/libraries/<name>` counts them. */
export const libraryStatsFile = operation({
  id: "libraryStatsFile",
  summary: "How many books of a library were borrowed on each day, as CSV",
  tag: "libraries",
  path: { name: z.string().max(200).describe("Last part of the library's key") },
  query: {
    t: z.string().default(`${STATS_DAYS.default}days`).describe("Such as 30days or 20260101-20260131"),
  },
  responses: {
    200: { description: "Loans by day", contentType: "application/csv" },
    422: { description: "No period, or too long a one" },
  },
  async handle({ path: { name }, query: { t } }, context) {
    const period = periodOf(t, context.now);
    if (period === undefined) {
      const msg = `Value error, a period is like 30days or 20260101-20260131, of ${STATS_DAYS.max} days at most`;
      throw validationFailed([{ type: "value_error", loc: ["query", "t"], msg, input: t }]);
    }
    return loansCsv(await loansPerDay(context, { kind: "libraries", value: name }, period), name);
  },
});

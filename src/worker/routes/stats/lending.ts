import * as z from "zod";
import type { RequestContext } from "../../context.ts";
import { validationFailed } from "../../errors.ts";
import { type AnyOperation, type Parameters, operation } from "../../operation.ts";
import { type Reply, json } from "../../reply.ts";
import { STATS_CONTROL } from "./totals.ts";
import { STATS_KINDS, type StatsWanted, loansPerDay } from "../../stats/lending-stats.ts";
import { loansCsv } from "../../stats/loans-csv.ts";
import { type Period, STATS_DAYS, periodOf } from "../../stats/period.ts";

const kind = z.enum(STATS_KINDS).describe("What loans are counted by");
const value = z.string().describe("Which library, collection, subject, ...; a subject with _ for blanks");

/** `GET /stats/lending.json`: loans by day (lookup.md 17.2). */
export const lendingStats = statsOperation("lendingStats", {});
/** `GET /stats/lending/{kind}/{value}.json`: the same of a collection, a subject, ... */
export const lendingStatsOf = statsOperation("lendingStatsOf", { kind, value });

function statsOperation(id: string, path: Parameters): AnyOperation {
  return operation({
    id,
    summary: "How many books were borrowed on each day",
    tag: "lending",
    path,
    query: {
      t: z.string().default(`${STATS_DAYS.default}days`).describe("Such as 30days or 20260101-20260131"),
      download: z.enum(["csv"]).optional(),
    },
    responses: {
      200: {
        description: "Loans by day, or the same as CSV",
        schema: z.object({
          kind: z.string().nullable(),
          value: z.string().nullable(),
          period: z.object({ from: z.string(), to: z.string() }),
          total_loans: z.int(),
          loans_per_day: z.array(z.tuple([z.string(), z.int()])),
        }),
        also: ["application/csv"],
      },
      422: { description: "No period, or too long a one" },
    },
    async handle({ path: named, query: { t, download } }, context) {
      const asked = wanted.parse(named);
      const period = periodOf(t, context.now);
      if (period === undefined) {
        const msg = `Value error, a period is like 30days or 20260101-20260131, of ${STATS_DAYS.max} days at most`;
        throw validationFailed([{ type: "value_error", loc: ["query", "t"], msg, input: t }]);
      }
      return answer(asked, period, { context, isCsv: download === "csv" });
    },
  });
}

const wanted = z.object({ kind: kind.optional(), value: value.optional() });

interface Answering {
  readonly context: RequestContext;
  readonly isCsv: boolean;
}

async function answer(asked: StatsWanted, period: Period, { context, isCsv }: Answering): Promise<Reply> {
  const perDay = await loansPerDay(context, asked, period);
  if (isCsv) return loansCsv(perDay, `${asked.kind ?? "lending"}-${asked.value ?? "all"}`);
  const body = {
    kind: asked.kind ?? null,
    value: asked.value ?? null,
    period: { from: period.firstDay, to: period.lastDay },
    total_loans: perDay.reduce((sum, [, loans]) => sum + loans, 0),
    loans_per_day: perDay,
  };
  return json(body, { cacheControl: STATS_CONTROL });
}

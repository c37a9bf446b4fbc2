import * as z from "zod";
import {
  type TrendingPeriod,
  TRENDING_PERIODS,
  TRENDING_PERIOD_NAMES,
} from "../../../catalog/patrons/trending.ts";
import { rankedWorks } from "../../activity/ranking.ts";
import { trendingWorks } from "../../activity/trending-works.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { VARY_LANGUAGE } from "../../http/accept.ts";
import { type Reply, json } from "../../http/reply.ts";
import { searchCacheControl } from "../../search/answers.ts";
import { type TrendingQuery, trendingParameters } from "./parameters.ts";

/** Answer of trending works. */
export const trendingAnswer = z.object({
  query: z.string(),
  works: z.array(z.looseObject({ key: z.string().optional() })),
  days: z.int().optional().describe("Absent for all times"),
  hours: z.int(),
});

/** `GET /trending/{period}.json`: works that readers put onto their shelves lately (lookup.md 15.1). */
export const trending = operation({
  id: "trending",
  summary: "Works that most readers put onto their shelves within a period",
  tag: "trending",
  path: { period: z.enum(TRENDING_PERIOD_NAMES).default("now") },
  query: trendingParameters,
  responses: { 200: { description: "The works, the most logged ones first", schema: trendingAnswer } },
  handle({ path: { period }, query }, context) {
    return trendingReply(period, query, context);
  },
});

/** Trending works for programs. */
export async function trendingReply(
  period: TrendingPeriod,
  { limit, page, offset, hours, sort_by_count: byCount, minimum, fields }: TrendingQuery,
  context: RequestContext,
): Promise<Reply> {
  // Q203: the offset goes before the page.
  const start = offset ?? (page - 1) * limit;
  const ranked = await rankedWorks({ period, hours, minimum, byCount, offset: start, limit }, context);
  const works = await trendingWorks(
    ranked.map(({ work }) => work),
    fields,
    context,
  );
  const days = TRENDING_PERIODS[period];
  // Q202: all of time has no days.
  const body = { query: `/trending/${period}`, works, ...(days === null ? {} : { days }), hours };
  const cacheControl = searchCacheControl(context, { sort: [], availability: true });
  return json(body, { cacheControl, headers: { Vary: VARY_LANGUAGE } });
}

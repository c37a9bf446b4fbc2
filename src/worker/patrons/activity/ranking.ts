import { type TrendingPeriod, trendingWindow } from "../../../catalog/patrons/trending.ts";
import { type RankedWork, type TrendingWish, readTrending } from "../../../db/patrons/trending.ts";
import { TRENDING_SECONDS, derived, trendingName } from "../../http/derived-answers.ts";
import type { RequestContext } from "../../http/operation.ts";

/** Works of a ranking that is kept; what lies beyond is read each time. */
const KEPT_RANKING_MAX = 1000;
/** Periods whose rankings look at counts of many days (Q206). */
const KEPT_PERIODS: ReadonlySet<TrendingPeriod> = new Set<TrendingPeriod>(["monthly", "yearly"]);

/** Which part of the ranking of a period is wanted; `hours`: by how much the period is longer. */
type RankingWish = Omit<TrendingWish, "window"> & { readonly period: TrendingPeriod; readonly hours: number };

/** Works of a period in their order. Long periods are counted every few minutes, the others each time. */
export async function rankedWorks(wish: RankingWish, context: RequestContext): Promise<RankedWork[]> {
  const { period, hours, minimum, byCount, offset, limit } = wish;
  if (limit === 0) return [];
  const window = trendingWindow(period, hours, context.now);
  const patrons = context.stores.patrons.withSession("first-unconstrained");
  const isKept = KEPT_PERIODS.has(period) && hours === 0 && byCount && offset + limit <= KEPT_RANKING_MAX;
  if (!isKept) return readTrending(patrons, { window, minimum, byCount, offset, limit });
  const ranking = await derived(context, {
    name: trendingName(period),
    seconds: TRENDING_SECONDS,
    make: () => readTrending(patrons, { window, minimum: 0, byCount, offset: 0, limit: KEPT_RANKING_MAX }),
  });
  return ranking.filter(({ entries }) => entries > minimum).slice(offset, offset + limit);
}

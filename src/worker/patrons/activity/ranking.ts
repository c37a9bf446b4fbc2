import { datetimeText } from "../../../catalog/datetime.ts";
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

/** Works of a period in their order. */
export async function rankedWorks(
  wish: RankingWish,
  context: RequestContext,
): Promise<readonly RankedWork[]> {
  return (await ranking(wish, context)).works;
}

interface Ranking {
  readonly works: readonly RankedWork[];
  /** Naive UTC; absent: just now. */
  readonly counted?: string;
}

/** The same with when they were counted: those of long periods every few minutes, the others each time. */
export async function ranking(wish: RankingWish, context: RequestContext): Promise<Ranking> {
  const { period, hours, minimum, byCount, offset, limit } = wish;
  if (limit === 0) return { works: [] };
  const window = trendingWindow(period, hours, context.now);
  const patrons = context.stores.patrons.withSession("first-unconstrained");
  const isKept = KEPT_PERIODS.has(period) && hours === 0 && byCount && offset + limit <= KEPT_RANKING_MAX;
  if (!isKept) return { works: await readTrending(patrons, { window, minimum, byCount, offset, limit }) };
  const { works, counted } = await derived(context, {
    name: trendingName(period),
    seconds: TRENDING_SECONDS,
    make: async () => ({
      works: await readTrending(patrons, { window, minimum: 0, byCount, offset: 0, limit: KEPT_RANKING_MAX }),
      counted: datetimeText(context.now),
    }),
  });
  const shown = works.filter(({ entries }) => entries > minimum).slice(offset, offset + limit);
  return { works: shown, counted };
}

import { datetimeText } from "../../../catalog/datetime.ts";
import { type TrendingPeriod, trendingWindow } from "../../../catalog/patrons/trending.ts";
import { type RankedWork, type TrendingWish, readTrending } from "../../../db/patrons/trending.ts";
import { TRENDING_SECONDS, derived, trendingName } from "../../http/derived-answers.ts";
import type { RequestContext } from "../../http/operation.ts";

/** Works of a cached ranking; works beyond are read each time. */
const KEPT_RANKING_MAX = 1000;
/** Periods whose rankings read counts of many days (Q206) and are cached. */
const KEPT_PERIODS: ReadonlySet<TrendingPeriod> = new Set<TrendingPeriod>(["monthly", "yearly"]);

/** Part of a period's ranking; `hours` extends the period. */
type RankingWish = Omit<TrendingWish, "window"> & { readonly period: TrendingPeriod; readonly hours: number };

/** Returns the works of a period in their order. */
export async function rankedWorks(
  wish: RankingWish,
  context: RequestContext,
): Promise<readonly RankedWork[]> {
  return (await ranking(wish, context)).works;
}

interface Ranking {
  readonly works: readonly RankedWork[];
  /** Time of the count, naive UTC; absent if it was just counted. */
  readonly counted?: string;
}

/**
 * Returns the works of a period in their order, with the time of the count: a few minutes ago for long periods, now for
 * the others.
 */
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

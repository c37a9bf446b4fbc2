import { minuteOf } from "../../../catalog/datetime.ts";
import { type TrendingPeriod, trendingWindowOf } from "../../../catalog/patrons/shelves.ts";
import { type RankedWork, type TrendingWish, readTrending } from "../../../db/patrons/trending.ts";
import { TRENDING_SECONDS, readDerived, trendingName } from "../../http/derived-answers.ts";
import type { RequestContext } from "../../http/operation.ts";

/** Works of a cached ranking. Works beyond it are read each time. */
const CACHED_WORKS_MAX = 1000;
/** Periods whose rankings are cached, because they read counts of many days (Q206). */
const CACHED_PERIODS: ReadonlySet<TrendingPeriod> = new Set<TrendingPeriod>(["monthly", "yearly"]);

/** Requested part of a period's ranking; `hours` extends the period. */
type RankingRequest = Omit<TrendingWish, "window"> & { period: TrendingPeriod; hours: number };

/** Reads the works of a period in order. `counted`: time of the count, naive UTC. */
export async function readRanking(
  request: RankingRequest,
  context: RequestContext,
): Promise<{ works: readonly RankedWork[]; counted: string }> {
  const { period, hours, minimum, byCount, offset, limit } = request;
  const now = minuteOf(context.now);
  if (limit === 0) return { works: [], counted: now };
  const window = trendingWindowOf(period, hours, context.now);
  const patrons = context.stores.patrons.withSession("first-unconstrained");
  const isCached = CACHED_PERIODS.has(period) && hours === 0 && byCount && offset + limit <= CACHED_WORKS_MAX;
  if (!isCached) {
    const works = await readTrending(patrons, { window, minimum, byCount, offset, limit });
    return { works, counted: now };
  }
  const { works, counted } = await readDerived(context, {
    name: trendingName(period),
    seconds: TRENDING_SECONDS,
    make: async () => ({
      works: await readTrending(patrons, { window, minimum: 0, byCount, offset: 0, limit: CACHED_WORKS_MAX }),
      counted: now,
    }),
  });
  const ranked = works.filter(({ entries }) => entries > minimum);
  return { works: ranked.slice(offset, offset + limit), counted };
}

/** Periods of trending works, and how many days each goes back; null: for ever. */
export const TRENDING_PERIODS = {
  now: 0,
  daily: 1,
  weekly: 7,
  monthly: 30,
  yearly: 365,
  forever: null,
} as const;

/** Name of a period. */
export type TrendingPeriod = keyof typeof TRENDING_PERIODS;

/** Names of all periods, the shortest first. */
export const TRENDING_PERIOD_NAMES = ["now", "daily", "weekly", "monthly", "yearly", "forever"] as const;

const HOUR_MS = 3_600_000;

/**
 * Which entries of shelves count. `recent`: the newest changes, whenever they were; else those made since `start`
 * (milliseconds since the epoch; null: all there are).
 */
export type TrendingWindow =
  | { readonly recent: true }
  | { readonly recent: false; readonly start: number | null };

/** The window of a period that ends at `now` and is so many hours longer. */
export function trendingWindow(period: TrendingPeriod, hours: number, now: number): TrendingWindow {
  const days = TRENDING_PERIODS[period];
  if (days === null) return { recent: false, start: null };
  // Q200: no count, but what changed last.
  if (days === 0 && hours === 0) return { recent: true };
  // Q201: to the millisecond, not from midnight on.
  const start = now - (days * 24 + hours) * HOUR_MS;
  return { recent: false, start: start <= 0 ? null : start };
}

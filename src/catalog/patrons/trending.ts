/** Periods of trending works, in days; null: all time. */
export const TRENDING_PERIODS = {
  now: 0,
  daily: 1,
  weekly: 7,
  monthly: 30,
  yearly: 365,
  forever: null,
} as const;

export type TrendingPeriod = keyof typeof TRENDING_PERIODS;

/** Names of all periods, the shortest first. */
export const TRENDING_PERIOD_NAMES = ["now", "daily", "weekly", "monthly", "yearly", "forever"] as const;

const HOUR_MS = 3_600_000;

/**
 * Entries of shelves that count. `recent`: the newest changes, of any age; else those made since `start` (milliseconds
 * since the epoch; null: all of them).
 */
export type TrendingWindow =
  | { readonly recent: true }
  | { readonly recent: false; readonly start: number | null };

/** Returns the window of a period that ends at `now` and is extended by `hours`. */
export function trendingWindow(period: TrendingPeriod, hours: number, now: number): TrendingWindow {
  const days = TRENDING_PERIODS[period];
  if (days === null) return { recent: false, start: null };
  // Q200: no count, but the most recent changes.
  if (days === 0 && hours === 0) return { recent: true };
  // Q201: to the millisecond, not from midnight on.
  const start = now - (days * 24 + hours) * HOUR_MS;
  return { recent: false, start: start <= 0 ? null : start };
}

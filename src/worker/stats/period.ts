import type { Span } from "../../db/lending/count-loans.ts";

/** Days of loans that are counted: when no period is named, and at most. */
export const STATS_DAYS = { default: 30, max: 366 };

const DAY_MS = 86_400_000;
const LAST_DAYS = /^(\d{1,3})days$/;
const BETWEEN = /^(\d{4})(\d{2})(\d{2})-(\d{4})(\d{2})(\d{2})$/;

/** Whole days (UTC), the last one included. */
export interface Period extends Span {
  /** `YYYY-MM-DD` */
  readonly firstDay: string;
  readonly lastDay: string;
}

/** The period that `t` names: `30days` up to now, or `20260101-20260131`; undefined for anything else, or for too long. */
export function periodOf(text: string, now: number): Period | undefined {
  const days = LAST_DAYS.exec(text)?.[1];
  if (days !== undefined) {
    const today = Math.floor(now / DAY_MS);
    return period(today - Number(days) + 1, today);
  }
  const [, year, month, day, ...last] = BETWEEN.exec(text) ?? [];
  if (last.length === 0) return undefined;
  return period(dayNumber(`${year}-${month}-${day}`), dayNumber(last.join("-")));
}

function dayNumber(day: string): number {
  const time = Date.parse(day);
  // A 31st of April is none, though it can be read.
  return Number.isNaN(time) || dayText(time / DAY_MS) !== day ? Number.NaN : time / DAY_MS;
}

function period(first: number, last: number): Period | undefined {
  const days = last - first + 1;
  if (!(days >= 1 && days <= STATS_DAYS.max)) return undefined;
  return {
    from: first * DAY_MS,
    to: (last + 1) * DAY_MS,
    firstDay: dayText(first),
    lastDay: dayText(last),
  };
}

function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** All days of a period with what is counted of each; 0 where nothing is. */
export function everyDay(
  { from, to }: Span,
  counts: ReadonlyMap<string, number>,
): readonly (readonly [string, number])[] {
  return Array.from({ length: Math.round((to - from) / DAY_MS) }, (_, index) => {
    const day = dayText(from / DAY_MS + index);
    return [day, counts.get(day) ?? 0] as const;
  });
}

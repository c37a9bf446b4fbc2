import { DAY_MS } from "../../catalog/units.ts";
import * as z from "zod";
import { filterItems } from "../../db/lending/holdings.ts";
import { type Span, countLoansByDay, countLoansByItem } from "../../db/lending/read-loans.ts";
import { validationFailed } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { invalid } from "../http/input-failures.ts";
import type { RequestContext } from "../http/operation.ts";
import type { Reply } from "../http/reply.ts";

export const STATS_DAYS = { default: 30, max: 366 };

const LAST_DAYS = /^(\d{1,3})days$/;
const BETWEEN = /^(\d{4})(\d{2})(\d{2})-(\d{4})(\d{2})(\d{2})$/;

/** Whole days (UTC), including the last one: `YYYY-MM-DD`. */
type Period = Span & { firstDay: string; lastDay: string };

export const periodText = z
  .string()
  .default(`${STATS_DAYS.default}days`)
  .describe("Period, such as 30days or 20260101-20260131");

/** Returns the period of the parameter `t`; throws 422 if it is invalid. */
export function requirePeriod(t: string, { now }: Pick<RequestContext, "now">): Period {
  const parsed = periodOf(t, now);
  if (parsed !== undefined) return parsed;
  const text = { key: "validation.loan_period", values: { most: STATS_DAYS.max } } as const;
  throw validationFailed([invalid(["query", "t"], text, { input: t })]);
}

/** Parses the parameter `t`: `30days` up to now, or `20260101-20260131`; undefined if it is invalid or too long. */
export function periodOf(text: string, now: number): Period | undefined {
  const today = Math.floor(now / DAY_MS);
  const days = LAST_DAYS.exec(text)?.[1];
  const [, year, month, day, ...end] = BETWEEN.exec(text) ?? [];
  const first = days === undefined ? dayNumber(`${year}-${month}-${day}`) : today - Number(days) + 1;
  const last = days === undefined ? dayNumber(end.join("-")) : today;
  const length = last - first + 1;
  if (!(length >= 1 && length <= STATS_DAYS.max)) return undefined;
  const span = { from: first * DAY_MS, to: (last + 1) * DAY_MS };
  return { ...span, firstDay: dayText(first), lastDay: dayText(last) };
}

/** Returns the number of a day since the epoch; NaN if there is no such day. */
function dayNumber(day: string): number {
  const time = Date.parse(day);
  // `Date.parse` accepts dates that do not exist, such as 31 April.
  return Number.isNaN(time) || dayText(time / DAY_MS) !== day ? Number.NaN : time / DAY_MS;
}

function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function fillDays({ from, to }: Span, counts: ReadonlyMap<string, number>): PerDay {
  return Array.from({ length: Math.round((to - from) / DAY_MS) }, (_, index) => {
    const day = dayText(from / DAY_MS + index);
    return [day, counts.get(day) ?? 0] as const;
  });
}

export const STATS_KINDS = [
  "libraries",
  "regions",
  "countries",
  "collections",
  "subjects",
  "format",
] as const;
type StatsKind = (typeof STATS_KINDS)[number];

/** Pairs of item and day that are read to count the loans of a collection or subject. */
const STATS_ITEM_DAYS_MAX = 20_000;

/** Values that count all loans: the only library of the scans, and the only format. */
const ONLY_VALUES: Partial<Record<StatsKind, string>> = {
  libraries: "internet_archive",
  format: "bookreader",
};

type PerDay = readonly (readonly [day: string, loans: number])[];

/** Counts loans per day of a period, oldest first; without a kind, all loans. */
export async function loansPerDay(
  { stores }: RequestContext,
  { kind, value = "" }: { kind?: StatsKind | undefined; value?: string | undefined },
  days: Period,
): Promise<PerDay> {
  const patrons = stores.patrons.withSession("first-unconstrained");
  const counts = new Map<string, number>();
  if (kind === "collections" || kind === "subjects") {
    const rows = await countLoansByItem(patrons, days, STATS_ITEM_DAYS_MAX + 1);
    if (rows.length > STATS_ITEM_DAYS_MAX) throw failure("unprocessable.loan_period");
    const items = [...new Set(rows.map(({ ocaid }) => ocaid))];
    const catalog = stores.catalog.withSession("first-unconstrained");
    const matches = await filterItems(catalog, items, { kind, value });
    for (const { day, ocaid, loans } of rows) {
      if (matches.has(ocaid)) counts.set(day, (counts.get(day) ?? 0) + loans);
    }
    // Q289: loans are not stored by place, so regions and countries have none.
  } else if (kind === undefined || ONLY_VALUES[kind] === value) {
    for (const { day, loans } of await countLoansByDay(patrons, days)) counts.set(day, loans);
  }
  return fillDays(days, counts);
}

const HEAD = "Date,Total Loans,PDF Loans,ePub Loans,Bookreader Loans";

/** Returns loans per day as a file. All books are read in the browser, so the columns of other formats are 0. */
export function loansCsv(perDay: PerDay, name: string): Reply {
  const lines = perDay.map(([day, loans]) => `${day},${loans},0,0,${loans}`);
  return {
    status: 200,
    contentType: "application/csv",
    cacheControl: "public, max-age=60",
    headers: { "Content-Disposition": `attachment; filename=${name.replace(/[^\w.-]/g, "_")}.csv` },
    body: `${[HEAD, ...lines].join("\r\n")}\r\n`,
  };
}

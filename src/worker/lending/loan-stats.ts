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
  const days = LAST_DAYS.exec(text)?.[1];
  if (days !== undefined) {
    const today = Math.floor(now / DAY_MS);
    return toPeriod(today - Number(days) + 1, today);
  }
  const [, year, month, day, ...last] = BETWEEN.exec(text) ?? [];
  if (last.length === 0) return undefined;
  return toPeriod(dayNumber(`${year}-${month}-${day}`), dayNumber(last.join("-")));
}

function dayNumber(day: string): number {
  const time = Date.parse(day);
  // `Date.parse` accepts dates that do not exist, such as 31 April.
  return Number.isNaN(time) || dayText(time / DAY_MS) !== day ? Number.NaN : time / DAY_MS;
}

function toPeriod(first: number, last: number): Period | undefined {
  const days = last - first + 1;
  if (!(days >= 1 && days <= STATS_DAYS.max)) return undefined;
  const span = { from: first * DAY_MS, to: (last + 1) * DAY_MS };
  return { ...span, firstDay: dayText(first), lastDay: dayText(last) };
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
  context: RequestContext,
  { kind, value = "" }: { kind?: StatsKind | undefined; value?: string | undefined },
  days: Period,
): Promise<PerDay> {
  const patrons = context.stores.patrons.withSession("first-unconstrained");
  if (kind === "collections" || kind === "subjects") return countForItems(context, { kind, value }, days);
  // Q289: loans are not stored by place, so regions and countries have none.
  if (kind !== undefined && ONLY_VALUES[kind] !== value) return fillDays(days, new Map());
  const counts = await countLoansByDay(patrons, days);
  return fillDays(days, new Map(counts.map(({ day, loans }) => [day, loans])));
}

async function countForItems(
  { stores }: RequestContext,
  filter: { kind: "collections" | "subjects"; value: string },
  days: Period,
): Promise<PerDay> {
  const patrons = stores.patrons.withSession("first-unconstrained");
  const rows = await countLoansByItem(patrons, days, STATS_ITEM_DAYS_MAX + 1);
  if (rows.length > STATS_ITEM_DAYS_MAX) {
    throw failure("unprocessable.loan_period");
  }
  const items = [...new Set(rows.map(({ ocaid }) => ocaid))];
  const matches = await filterItems(stores.catalog.withSession("first-unconstrained"), items, filter);
  const counts = new Map<string, number>();
  for (const { day, ocaid, loans } of rows) {
    if (matches.has(ocaid)) counts.set(day, (counts.get(day) ?? 0) + loans);
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

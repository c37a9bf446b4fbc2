import { filterItems } from "../../db/holdings/filter-items.ts";
import { countLoansByDay, countLoansByItem } from "../../db/lending/count-loans.ts";
import type { RequestContext } from "../context.ts";
import { CarrelError } from "../errors.ts";
import { type Period, everyDay } from "./period.ts";

/** What loans are counted by (lookup.md 17.2). */
export const STATS_KINDS = [
  "libraries",
  "regions",
  "countries",
  "collections",
  "subjects",
  "format",
] as const;
export type StatsKind = (typeof STATS_KINDS)[number];

/** Items of one day that are told apart when loans of a collection or subject are counted, over all days. */
export const STATS_ITEM_DAYS_MAX = 20_000;

/** The library that all scans are of, and the one format there is. */
const WHOLE: Partial<Record<StatsKind, string>> = { libraries: "internet_archive", format: "bookreader" };

/** Which loans are counted; without a kind all. */
export interface StatsWanted {
  readonly kind?: StatsKind | undefined;
  readonly value?: string | undefined;
}

/** Loans for every day of a period, oldest first. */
export async function loansPerDay(
  context: RequestContext,
  { kind, value = "" }: StatsWanted,
  period: Period,
): Promise<readonly (readonly [string, number])[]> {
  const patrons = context.stores.patrons.withSession("first-unconstrained");
  if (kind === "collections" || kind === "subjects") return ofItems(context, { kind, value }, period);
  // Q289: loans are not kept by place, so there are none of a region or a country.
  if (kind !== undefined && WHOLE[kind] !== value) return everyDay(period, new Map());
  const found = await countLoansByDay(patrons, period);
  return everyDay(period, new Map(found.map(({ day, loans }) => [day, loans])));
}

async function ofItems(
  { stores }: RequestContext,
  wanted: { readonly kind: "collections" | "subjects"; readonly value: string },
  period: Period,
): Promise<readonly (readonly [string, number])[]> {
  const patrons = stores.patrons.withSession("first-unconstrained");
  const found = await countLoansByItem(patrons, period, STATS_ITEM_DAYS_MAX + 1);
  if (found.length > STATS_ITEM_DAYS_MAX) {
    throw new CarrelError(422, "too_many", {
      message: "There are too many loans in this period. Please ask for fewer days.",
    });
  }
  const items = [...new Set(found.map(({ ocaid }) => ocaid))];
  const fitting = await filterItems(stores.catalog.withSession("first-unconstrained"), items, wanted);
  const counts = new Map<string, number>();
  for (const { day, ocaid, loans } of found) {
    if (fitting.has(ocaid)) counts.set(day, (counts.get(day) ?? 0) + loans);
  }
  return everyDay(period, counts);
}

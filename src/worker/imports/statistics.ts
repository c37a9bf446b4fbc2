import { datetimeText } from "../../catalog/datetime.ts";
import { newestBatches, unfinishedBatches } from "../../db/imports/read-batches.ts";
import { type ShownItem, itemsOfDay } from "../../db/imports/read-items.ts";
import {
  type DeadItem,
  type ImportedItem,
  type StatusCounts,
  countDay,
  readFailures,
  readStatistics,
} from "../../db/imports/statistics.ts";
import { derived } from "../http/derived-answers.ts";
import type { RequestContext } from "../http/operation.ts";
import { type SeenBatch, seenBatch } from "./batch-view.ts";
import { INTERNAL_ERROR } from "./resume.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days whose additions are counted by status, and whose new editions are counted. */
export const STATISTICS_DAYS = { added: 10, created: 30 };
/** Items that were imported last, batches, and items given up that are listed. */
export const STATISTICS_ROWS_MAX = 20;
/** Seconds that numbers for everybody are kept. */
export const IMPORT_NUMBERS_SECONDS = 300;
/** Items of a day on a page. */
export const DAY_ITEMS_LIMIT = 100;
const NUMBERS_NAME = "imports:v1";

/** The numbers that everybody may see. */
export interface ImportNumbers {
  readonly pending: number;
  readonly processing: number;
  readonly imported_last_hour: number;
  /** Hours until nothing is pending at the rate of the last hour; null when nothing was imported in it. */
  readonly eta_hours: number | null;
  readonly by_date: readonly DateCounts[];
  readonly created_by_day: readonly { readonly date: string; readonly items: number }[];
  readonly last: readonly ImportedItem[];
}

/** What was added on a day, by what has become of it. */
export interface DateCounts {
  readonly date: string;
  readonly counts: StatusCounts;
  /** Those that were here already: `found`, `modified` and `matched` together. */
  readonly found: number;
}

/** The numbers and what else administrators look after. */
export interface ImportState extends ImportNumbers {
  readonly errors: readonly { readonly error: string; readonly items: number }[];
  /** Items that the service itself has given up. */
  readonly dead: readonly DeadItem[];
  /** Files that are being split, or could not be. */
  readonly splitting: readonly SeenBatch[];
  readonly batches: readonly SeenBatch[];
}

/** The numbers as they are now. One round trip. */
export async function importNumbers({ stores, now }: RequestContext): Promise<ImportNumbers> {
  const found = await readStatistics(stores.catalog, {
    hour: datetimeText(now - HOUR_MS),
    addedFrom: dayText(now - (STATISTICS_DAYS.added - 1) * DAY_MS),
    createdFrom: dayText(now - (STATISTICS_DAYS.created - 1) * DAY_MS),
    last: STATISTICS_ROWS_MAX,
  });
  const { pending, processing, lastHour, byDate, created, last } = found;
  const byDay = Map.groupBy(byDate, ({ date }) => date);
  return {
    pending,
    processing,
    imported_last_hour: lastHour,
    eta_hours: lastHour === 0 ? null : Math.round((100 * pending) / lastHour) / 100,
    by_date: [...byDay].map(([date, rows]) =>
      dateCounts(date, Object.fromEntries(rows.map(({ status, items }) => [status, items]))),
    ),
    created_by_day: created,
    last,
  };
}

function dateCounts(date: string, counts: StatusCounts): DateCounts {
  // Q355: matched ones are here already as well.
  const found = (counts.found ?? 0) + (counts.modified ?? 0) + (counts.matched ?? 0);
  return { date, counts, found };
}

/** The numbers as they were some minutes ago at most. */
export function keptNumbers(context: RequestContext): Promise<ImportNumbers> {
  return derived(context.stores.cache, {
    name: NUMBERS_NAME,
    seconds: IMPORT_NUMBERS_SECONDS,
    make: () => importNumbers(context),
    waitUntil: (promise) => context.waitUntil(promise),
  });
}

/** The state of all imports, as of now. */
export async function importState(context: RequestContext): Promise<ImportState> {
  const { catalog } = context.stores;
  const [numbers, failures, splitting, batches] = await Promise.all([
    importNumbers(context),
    readFailures(catalog, { error: INTERNAL_ERROR, limit: STATISTICS_ROWS_MAX }),
    unfinishedBatches(catalog, STATISTICS_ROWS_MAX),
    newestBatches(catalog, STATISTICS_ROWS_MAX),
  ]);
  return {
    ...numbers,
    errors: failures.byError.map(({ error, items }) => ({ error: error ?? "", items })),
    dead: failures.dead,
    splitting: splitting.map(seenBatch),
    batches: batches.map(seenBatch),
  };
}

/** What was added on a day. */
export interface DayView extends DateCounts {
  readonly items: readonly ShownItem[];
  readonly page: number;
  readonly next: number | null;
}

/** A page of what was added on a day (`2026-11-21`). */
export async function dayView({ stores }: RequestContext, day: string, page: number): Promise<DayView> {
  const slice = { limit: DAY_ITEMS_LIMIT, offset: (page - 1) * DAY_ITEMS_LIMIT };
  const [counts, items] = await Promise.all([
    countDay(stores.catalog, day),
    itemsOfDay(stores.catalog, day, slice),
  ]);
  return { ...dateCounts(day, counts), items, page, next: items.length < DAY_ITEMS_LIMIT ? null : page + 1 };
}

function dayText(time: number): string {
  return datetimeText(time).slice(0, 10);
}

import { HOUR_MS, DAY_MS } from "../../catalog/units.ts";
import type * as z from "zod";
import { parseDatetime, formatDatetime } from "../../catalog/datetime.ts";
import { readNewestBatches, readUnfinishedBatches } from "../../db/imports/batches.ts";
import { readItemsOfDay } from "../../db/imports/items.ts";
import { countDay, readFailures, readStatistics } from "../../db/imports/statistics.ts";
import type { StatusCounts } from "../../db/imports/import-rows.ts";
import { HERE_ALREADY } from "../../import/statuses.ts";
import { writeCache } from "../http/kv-cache.ts";
import type { RequestContext } from "../http/operation.ts";
import { toPublicBatch } from "./batch-view.ts";
import { INTERNAL_ERROR } from "./resume.ts";
import type { dateSchema, daySchema, numbersSchema, stateSchema } from "./schemas.ts";

export const STATISTICS_DAYS = { added: 10, created: 30 };
const STATISTICS_ROWS_MAX = 20;
const NUMBERS_MS = 10_000;
/** TTL of the KV entry in seconds, the minimum that KV allows. */
const NUMBERS_TTL = 60;
const DAY_ITEMS_LIMIT = 100;
const NUMBERS_NAME = "imports:v2";

export type ImportNumbers = Readonly<z.output<typeof numbersSchema>>;
type CachedNumbers = { numbers: ImportNumbers; asOf: string };
export type DateCounts = Readonly<z.output<typeof dateSchema>>;
export type ImportState = Readonly<z.output<typeof stateSchema>>;
export type DayView = Readonly<z.output<typeof daySchema>>;

async function readNumbers({ stores, now }: RequestContext): Promise<ImportNumbers> {
  const statistics = await readStatistics(stores.catalog, {
    hour: formatDatetime(now - HOUR_MS),
    addedFrom: dayText(now - (STATISTICS_DAYS.added - 1) * DAY_MS),
    createdFrom: dayText(now - (STATISTICS_DAYS.created - 1) * DAY_MS),
    last: STATISTICS_ROWS_MAX,
  });
  const { pending, processing, lastHour, byDate, created, last } = statistics;
  const byDay = Map.groupBy(byDate, ({ date }) => date);
  return {
    pending,
    processing,
    imported_last_hour: lastHour,
    eta_hours: lastHour === 0 ? null : Math.round((100 * pending) / lastHour) / 100,
    by_date: [...byDay].map(([date, rows]) =>
      toDateCounts(date, Object.fromEntries(rows.map(({ status, items }) => [status, items]))),
    ),
    created_by_day: [...created],
    last: [...last],
  };
}

function toDateCounts(date: string, counts: StatusCounts): DateCounts {
  const known = HERE_ALREADY.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  return { date, counts, found: known };
}

export async function readCachedNumbers(context: RequestContext): Promise<CachedNumbers> {
  const { now, sources, stores } = context;
  const cached = await stores.cache.get<CachedNumbers>(NUMBERS_NAME, "json");
  if (cached !== null && now - parseDatetime(cached.asOf) < NUMBERS_MS) return cached;
  const read = { numbers: await readNumbers(context), asOf: formatDatetime(now) };
  const entry = { text: JSON.stringify(read), seconds: NUMBERS_TTL };
  context.waitUntil(writeCache(stores.cache, NUMBERS_NAME, { entry, sources }));
  return read;
}

export async function readImportState(context: RequestContext): Promise<ImportState> {
  const { catalog } = context.stores;
  const [numbers, failures, splitting, batches] = await Promise.all([
    readNumbers(context),
    readFailures(catalog, { error: INTERNAL_ERROR, limit: STATISTICS_ROWS_MAX }),
    readUnfinishedBatches(catalog, STATISTICS_ROWS_MAX),
    readNewestBatches(catalog, STATISTICS_ROWS_MAX),
  ]);
  return {
    ...numbers,
    errors: failures.byError.map(({ error, items }) => ({ error: error ?? "", items })),
    dead: failures.dead,
    splitting: splitting.map(toPublicBatch),
    batches: batches.map(toPublicBatch),
  };
}

export async function readDayView({ stores }: RequestContext, day: string, page: number): Promise<DayView> {
  const slice = { limit: DAY_ITEMS_LIMIT, offset: (page - 1) * DAY_ITEMS_LIMIT };
  const [counts, items] = await Promise.all([
    countDay(stores.catalog, day),
    readItemsOfDay(stores.catalog, day, slice),
  ]);
  return {
    ...toDateCounts(day, counts),
    items,
    page,
    next: items.length < DAY_ITEMS_LIMIT ? null : page + 1,
  };
}

function dayText(time: number): string {
  return formatDatetime(time).slice(0, 10);
}

import * as z from "zod";
import { formatDatetime, parseDatetime } from "../../catalog/datetime.ts";
import { DAY_MS, HOUR_MS } from "../../catalog/units.ts";
import { readNewestBatches, readUnfinishedBatches } from "../../db/imports/batches.ts";
import type { StatusCounts } from "../../db/imports/import-rows.ts";
import { countItems, readItemsOfDay } from "../../db/imports/items.ts";
import { readFailures, readStatistics } from "../../db/imports/statistics.ts";
import { HERE_ALREADY } from "../../import/statuses.ts";
import { notFound } from "../http/errors.ts";
import { writeCache } from "../http/kv-cache.ts";
import type { RequestContext } from "../http/operation.ts";
import { lenientInteger } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { readEditionNames, toPublicBatch } from "./batch-view.ts";
import { adminStatePage, dayPage, numbersPage } from "./import-statistics-page.ts";
import { INTERNAL_ERROR } from "./resume.ts";
import { type ImportNumbers, STATISTICS_DAYS, daySchema, numbersSchema, stateSchema } from "./schemas.ts";

const ROWS_MAX = 20;
const NUMBERS_MS = 10_000;
/** TTL of the KV entry in seconds, the minimum that KV allows. */
const NUMBERS_TTL = 60;
const NUMBERS_NAME = "imports:v2";
const DAY_ITEMS_LIMIT = 100;
const DAY_PAGES_MAX = 1000;

export const importNumbers = resource({
  id: "importNumbers",
  summary: "Get the progress of imports",
  tag: "import",
  responses: { 200: { description: "Progress of imports, as JSON or HTML", schema: numbersSchema } },
  async read(_input, context) {
    const { now, sources, stores } = context;
    type Cached = { numbers: ImportNumbers; asOf: string };
    const cached = await stores.cache.get<Cached>(NUMBERS_NAME, "json");
    if (cached !== null && now - parseDatetime(cached.asOf) < NUMBERS_MS) return cached;
    const read: Cached = { numbers: await readNumbers(context), asOf: formatDatetime(now) };
    const entry = { text: JSON.stringify(read), seconds: NUMBERS_TTL };
    context.waitUntil(writeCache(stores.cache, NUMBERS_NAME, { entry, sources }));
    return read;
  },
  asJson: ({ numbers }) => json(numbers, { cacheControl: NO_STORE }),
  page: async ({ numbers, asOf }, _input, context) =>
    numbersPage(numbers, asOf, await readEditionNames(context, numbers.last)),
});

export const adminImports = resource({
  id: "adminImports",
  summary: "Get the state of all imports",
  tag: "administration",
  responses: { 200: { description: "State of all imports, as JSON or HTML", schema: stateSchema } },
  async read(_input, context) {
    const { catalog } = context.stores;
    const [numbers, { byError, dead }, splitting, batches] = await Promise.all([
      readNumbers(context),
      readFailures(catalog, { error: INTERNAL_ERROR, limit: ROWS_MAX }),
      readUnfinishedBatches(catalog, ROWS_MAX),
      readNewestBatches(catalog, ROWS_MAX),
    ]);
    return {
      ...numbers,
      errors: byError,
      dead,
      splitting: splitting.map(toPublicBatch),
      batches: batches.map(toPublicBatch),
    };
  },
  page: async (state, _input, context) =>
    adminStatePage(state, formatDatetime(context.now), await readEditionNames(context, state.last)),
});

async function readNumbers({ stores, now }: RequestContext): Promise<ImportNumbers> {
  const firstDay = (days: number) => formatDatetime(now - (days - 1) * DAY_MS).slice(0, 10);
  const { byDate, ...numbers } = await readStatistics(stores.catalog, {
    hour: formatDatetime(now - HOUR_MS),
    addedFrom: firstDay(STATISTICS_DAYS.added),
    createdFrom: firstDay(STATISTICS_DAYS.created),
    last: ROWS_MAX,
  });
  const { pending, imported_last_hour: lastHour } = numbers;
  const dates = [...Map.groupBy(byDate, ({ date }) => date)].map(([date, counts]) =>
    toDateCounts(date, Object.fromEntries(counts.map(({ status, items }) => [status, items]))),
  );
  const eta = lastHour === 0 ? null : Math.round((100 * pending) / lastHour) / 100;
  const { processing, created_by_day, last } = numbers;
  return {
    pending,
    processing,
    imported_last_hour: lastHour,
    eta_hours: eta,
    by_date: dates,
    created_by_day,
    last,
  };
}

function toDateCounts(date: string, counts: StatusCounts) {
  return { date, counts, found: HERE_ALREADY.reduce((sum, status) => sum + (counts[status] ?? 0), 0) };
}

const dateText = z.iso.date();

export const adminImportsOfDay = resource({
  id: "adminImportsOfDay",
  summary: "List the items queued on a day",
  tag: "administration",
  path: { date: z.string().describe("Date, for example `2026-11-21`") },
  query: { page: lenientInteger(1, { min: 1, max: DAY_PAGES_MAX }) },
  responses: {
    200: { description: "Items of the day, as JSON or HTML", schema: daySchema },
    404: { description: "Not a date" },
  },
  async read({ path: { date }, query: { page } }, { stores: { catalog } }) {
    if (!dateText.safeParse(date).success) throw notFound();
    const limit = DAY_ITEMS_LIMIT;
    const [counts, items] = await Promise.all([
      countItems(catalog, "day", date),
      readItemsOfDay(catalog, date, { limit, offset: (page - 1) * limit }),
    ]);
    return { ...toDateCounts(date, counts), items, page, next: items.length < limit ? null : page + 1 };
  },
  page: async (view, _input, context) => dayPage(view, await readEditionNames(context, view.items)),
});

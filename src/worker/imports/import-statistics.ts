import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { notFound } from "../http/errors.ts";
import { lenientInteger } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { adminStatePage, dayPage, numbersPage } from "./import-statistics-page.ts";
import { daySchema, numbersSchema, stateSchema } from "./schemas.ts";
import { readCachedNumbers, readDayView, readImportState } from "./statistics.ts";

export const importNumbers = resource({
  id: "importNumbers",
  summary: "Get the progress of imports",
  tag: "import",
  responses: { 200: { description: "Progress of imports, as JSON or HTML", schema: numbersSchema } },
  read: (_input, context) => readCachedNumbers(context),
  asJson: ({ numbers }) => json(numbers, { cacheControl: NO_STORE }),
  page: ({ numbers, asOf }) => numbersPage(numbers, asOf),
});

export const adminImports = resource({
  id: "adminImports",
  summary: "Get the state of all imports",
  tag: "administration",
  responses: { 200: { description: "State of all imports, as JSON or HTML", schema: stateSchema } },
  read: (_input, context) => readImportState(context),
  page: (state, _input, { now }) => adminStatePage(state, formatDatetime(now)),
});

const DAY_PAGES_MAX = 1000;

const date = z.iso.date();

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
  read({ path, query: { page } }, context) {
    if (!date.safeParse(path.date).success) throw notFound();
    return readDayView(context, path.date, page);
  },
  page: dayPage,
});

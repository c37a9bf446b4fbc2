import * as z from "zod";
import { shown } from "../../accounts/page-or-json.ts";
import { notFound } from "../../http/errors.ts";
import { dayView } from "../../imports/statistics.ts";
import { operation } from "../../http/operation.ts";
import { dayPage } from "../../pages/imports/day-page.ts";
import { lenientInteger } from "../../http/parameters.ts";
import { dateSchema, itemSchema } from "./schemas.ts";

/** Pages of a day. */
export const DAY_PAGES_MAX = 1000;

const date = z.iso.date();

/** `GET /admin/imports/<date>[.json]`: what was added on a day (import.md 6.5). */
export const adminImportsOfDay = operation({
  id: "adminImportsOfDay",
  summary: "What was queued on a day",
  tag: "administration",
  path: { date: z.string().describe("`2026-11-21`") },
  query: { page: lenientInteger(1, { min: 1, max: DAY_PAGES_MAX }) },
  responses: {
    200: {
      description: "JSON for programs, a page for people",
      schema: dateSchema.extend({ items: z.array(itemSchema), page: z.int(), next: z.int().nullable() }),
    },
    404: { description: "No date" },
  },
  async handle({ path, query: { page } }, context) {
    if (!date.safeParse(path.date).success) throw notFound();
    return shown(context, await dayView(context, path.date, page), dayPage);
  },
});

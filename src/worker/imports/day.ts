import * as z from "zod";
import { pageOrJson } from "../http/accept.ts";
import { adminPage } from "../admin/admin-page.ts";
import { notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { lenientInteger } from "../http/parameters.ts";
import type { Reply } from "../http/reply.ts";
import { markup } from "../ui/markup.ts";
import { day, say } from "../ui/words.ts";
import { daySchema } from "./schemas.ts";
import { type DayView, dayView } from "./statistics.ts";
import { beforeAndNext, countsText, itemsTable } from "./tables.ts";

function dayPage({ date, counts, items, page, next }: DayView): Reply {
  const body = markup`<p>${say("imports.added_items")}: ${countsText(counts)}</p>
${itemsTable(say("imports.added_on", { day: day(date) }), items)}
${beforeAndNext(`/admin/imports/${date}`, page, next)}`;
  return adminPage({ title: say("imports.numbers_of", { day: date }), body });
}

const DAY_PAGES_MAX = 1000;

const date = z.iso.date();

/** `GET /admin/imports/<date>[.json]`: shows the items added on a day. */
export const adminImportsOfDay = operation({
  id: "adminImportsOfDay",
  summary: "What was queued on a day",
  tag: "administration",
  path: { date: z.string().describe("`2026-11-21`") },
  query: { page: lenientInteger(1, { min: 1, max: DAY_PAGES_MAX }) },
  responses: {
    200: { description: "JSON for programs, a page for people", schema: daySchema },
    404: { description: "No date" },
  },
  async handle({ path, query: { page } }, context) {
    if (!date.safeParse(path.date).success) throw notFound();
    return pageOrJson(context, await dayView(context, path.date, page), dayPage);
  },
});

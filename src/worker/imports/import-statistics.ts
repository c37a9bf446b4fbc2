import * as z from "zod";
import { pageOrJson } from "../http/accept.ts";
import { operation } from "../http/operation.ts";
import { type Reply, NO_STORE } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { page as htmlPage } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { link } from "../ui/parts.ts";
import { daySchema, numbersSchema, stateSchema } from "./schemas.ts";
import {
  type DayView,
  type ImportNumbers,
  type ImportState,
  readDayView,
  readImportState,
  readCachedNumbers,
} from "./statistics.ts";
import {
  batchLink,
  batchesTable,
  pageTurnLinks,
  countsText,
  datesTable,
  importedTable,
  itemsTable,
} from "./import-tables.ts";
import { live, refreshing } from "../ui/progress.ts";
import { table } from "../ui/table.ts";
import { type Words, day, moment, number, plainDay, t } from "../ui/words.ts";
import { formatDatetime } from "../../catalog/datetime.ts";
import { adminPage } from "../admin/admin-page.ts";
import { tabs } from "../ui/tabs.ts";
import { notFound } from "../http/errors.ts";
import { lenientInteger } from "../http/parameters.ts";

function numbersPage(numbers: ImportNumbers, asOf: string): Reply {
  const body = markup`${numbersBody(numbers, { asOf, dayCell: day })}
<p>${link("/import/batch/new", t("imports.new"))}</p>`;
  return htmlPage({ title: t("imports.title"), body, head: refreshing(isRunning(numbers)) });
}

function remainingText({ pending, eta_hours: hours }: ImportNumbers): Markup | undefined {
  if (pending === 0) return undefined;
  if (hours === null) return t("imports.eta_unknown");
  return hours < 1
    ? t("imports.eta_minutes", { count: Math.ceil(hours * 60) })
    : t("imports.eta_hours", { count: hours });
}

export function isRunning({ pending, processing }: Pick<ImportNumbers, "pending" | "processing">): boolean {
  return pending + processing > 0;
}

function numbersBody(
  numbers: ImportNumbers,
  { asOf, dayCell }: { asOf: string; dayCell: (date: string) => Markup | string },
): Markup {
  const { pending, processing, imported_last_hour: lastHour, created_by_day: created } = numbers;
  const content = markup`<p class="soft">${t("desk.as_of", { time: moment(asOf) })}</p>
${factList([
  [t("imports.status_pending"), number(pending)],
  [t("imports.status_processing"), number(processing)],
  [t("imports.last_hour"), number(lastHour)],
  [t("imports.eta"), remainingText(numbers)],
])}
${datesTable(numbers.by_date, dayCell)}
${
  created.length > 0 &&
  table({
    caption: t("imports.created_days"),
    columns: [t("desk.day"), t("imports.editions")],
    rows: created.map(({ date, items }) => [day(date), number(items)]),
  })
}
${importedTable(t("imports.last"), numbers.last)}`;
  return live("numbers", isRunning(numbers), content);
}

export const importNumbers = operation({
  id: "importNumbers",
  summary: "Get the progress of imports",
  tag: "import",
  responses: { 200: { description: "Progress of imports, as JSON or HTML", schema: numbersSchema } },
  async handle(_input, context) {
    const { numbers, asOf } = await readCachedNumbers(context);
    const reply = pageOrJson(context, numbers, () => numbersPage(numbers, asOf));
    return { ...reply, cacheControl: NO_STORE };
  },
});

function adminStatePage(state: ImportState, asOf: string): Reply {
  const { errors, dead, splitting, batches } = state;
  const links = ADMIN_LINKS.map(([href, words]) => ({ href, text: t(words), isCurrent: false }));
  const body = markup`${tabs(t("imports.title"), links)}
${numbersBody(state, { asOf, dayCell: (date) => link(`/admin/imports/${date}`, day(date)) })}
${errors.length > 0 && errorsTable(errors)}
${dead.length > 0 && deadTable(dead)}
${batchesTable(t("imports.splitting"), splitting)}
${batchesTable(t("imports.batches"), batches)}`;
  return adminPage({ title: t("imports.title"), body, head: refreshing(isRunning(state)) });
}

const ADMIN_LINKS: readonly (readonly [href: string, words: Words])[] = [
  ["/import/batch/new", "imports.new"],
  ["/admin/imports/add", "imports.by_ids"],
  ["/import/batch/pending", "imports.pending_batches"],
];

function errorsTable(errors: ImportState["errors"]): Markup {
  return table({
    caption: t("imports.by_error"),
    columns: [t("imports.error"), t("imports.items")],
    rows: errors.map(({ error, items }) => [error, number(items)]),
  });
}

function deadTable(dead: ImportState["dead"]): Markup {
  return table({
    caption: t("imports.dead"),
    columns: [t("imports.item"), t("imports.batch"), t("imports.when"), t("desk.why")],
    rows: dead.map(({ ia_id: item, batch_id: batch, import_time: time, comments }) => [
      item,
      batchLink(batch),
      moment(time),
      markup`<span lang="en">${comments}</span>`,
    ]),
  });
}

export const adminImports = operation({
  id: "adminImports",
  summary: "Get the state of all imports",
  tag: "administration",
  responses: { 200: { description: "State of all imports, as JSON or HTML", schema: stateSchema } },
  handle: async (_input, context) =>
    pageOrJson(context, await readImportState(context), (state) =>
      adminStatePage(state, formatDatetime(context.now)),
    ),
});

function dayPage({ date, counts, items, page, next }: DayView): Reply {
  const body = markup`<p>${t("list.pair", { name: t("imports.added_items"), value: countsText(counts) })}</p>
${itemsTable(t("imports.added_on", { day: plainDay(date) }), items)}
${pageTurnLinks(`/admin/imports/${date}`, page, next)}`;
  return adminPage({ title: t("imports.numbers_of", { day: plainDay(date) }), body });
}

const DAY_PAGES_MAX = 1000;

const date = z.iso.date();

export const adminImportsOfDay = operation({
  id: "adminImportsOfDay",
  summary: "List the items queued on a day",
  tag: "administration",
  path: { date: z.string().describe("Date, for example `2026-11-21`") },
  query: { page: lenientInteger(1, { min: 1, max: DAY_PAGES_MAX }) },
  responses: {
    200: { description: "Items of the day, as JSON or HTML", schema: daySchema },
    404: { description: "Not a date" },
  },
  async handle({ path, query: { page } }, context) {
    if (!date.safeParse(path.date).success) throw notFound();
    return pageOrJson(context, await readDayView(context, path.date, page), dayPage);
  },
});

import type { Reply } from "../http/reply.ts";
import { adminPage, dataFacts, dataTable } from "../ui/data-page.ts";
import { page as htmlPage } from "../ui/layout.ts";
import type { Markup } from "../ui/markup.ts";
import { asOfLine, inEnglish, link, paragraph } from "../ui/parts.ts";
import { live, refreshing } from "../ui/progress.ts";
import { tabs } from "../ui/tabs.ts";
import { type Words, day, plainDay, t } from "../ui/words.ts";
import {
  batchLink,
  batchesTable,
  countsText,
  datesTable,
  importedTable,
  itemsTable,
  pageTurnLinks,
} from "./import-tables.ts";
import type { DayView, ImportNumbers, ImportState } from "./statistics.ts";

export function numbersPage(numbers: ImportNumbers, asOf: string): Reply {
  const body = [
    numbersBody(numbers, { asOf, dayCell: day }),
    paragraph(link("/import/batch/new", t("imports.new"))),
  ];
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
  return live("numbers", isRunning(numbers), [
    asOfLine(asOf),
    dataFacts(
      { ...numbers, left: remainingText(numbers) },
      {
        pending: "imports.status_pending",
        processing: "imports.status_processing",
        imported_last_hour: "imports.last_hour",
        left: ["imports.eta", (text) => text],
      },
    ),
    datesTable(numbers.by_date, dayCell),
    numbers.created_by_day.length > 0 &&
      dataTable({
        caption: t("imports.created_days"),
        members: { date: "desk.day", items: "imports.editions" },
        rows: numbers.created_by_day,
      }),
    importedTable(t("imports.last"), numbers.last),
  ]);
}

const ADMIN_LINKS: readonly (readonly [href: string, words: Words])[] = [
  ["/import/batch/new", "imports.new"],
  ["/admin/imports/add", "imports.by_ids"],
  ["/import/batch/pending", "imports.pending_batches"],
];

export function adminStatePage(state: ImportState, asOf: string): Reply {
  const { errors, dead, splitting, batches } = state;
  const links = ADMIN_LINKS.map(([href, words]) => ({ href, text: t(words), isCurrent: false }));
  return adminPage({
    title: t("imports.title"),
    parts: [
      tabs(t("imports.title"), links),
      numbersBody(state, { asOf, dayCell: (date) => link(`/admin/imports/${date}`, day(date)) }),
      errors.length > 0 &&
        dataTable({
          caption: t("imports.by_error"),
          members: { error: "imports.error", items: "imports.items" },
          rows: errors,
        }),
      dead.length > 0 &&
        dataTable({
          caption: t("imports.dead"),
          members: {
            ia_id: "imports.item",
            batch_id: ["imports.batch", (id) => batchLink(id)],
            import_time: "imports.when",
            comments: ["desk.why", inEnglish],
          },
          rows: dead,
        }),
      batchesTable(t("imports.splitting"), splitting),
      batchesTable(t("imports.batches"), batches),
    ],
    head: refreshing(isRunning(state)),
  });
}

export function dayPage({ date, counts, items, page, next }: DayView): Reply {
  const values = { day: plainDay(date) };
  return adminPage({
    title: t("imports.numbers_of", values),
    parts: [
      paragraph(t("list.pair", { name: t("imports.added_items"), value: countsText(counts) })),
      itemsTable(t("imports.added_on", values), items),
      pageTurnLinks(`/admin/imports/${date}`, page, next),
    ],
  });
}

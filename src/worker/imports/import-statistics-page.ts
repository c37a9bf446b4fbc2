import type { Reply } from "../http/reply.ts";
import { adminPage, dataFacts, dataTable } from "../ui/data-page.ts";
import { page as htmlPage } from "../ui/layout.ts";
import type { Markup } from "../ui/markup.ts";
import { asOfLine, commas, inEnglish, link, paragraph } from "../ui/parts.ts";
import { live, refreshLink, refreshing } from "../ui/progress.ts";
import { tabs } from "../ui/tabs.ts";
import { type Words, day, plainDay, t } from "../ui/words.ts";
import {
  type EditionNames,
  IMPORTED,
  STATUS_WORDS,
  addTitles,
  batchLink,
  itemsTable,
  pageTurnLinks,
  stateText,
  statusCounts,
} from "./items-page.ts";
import {
  type DayView,
  type ImportNumbers,
  type ImportState,
  type PublicBatch,
  STATISTICS_DAYS,
} from "./schemas.ts";

export function numbersPage(numbers: ImportNumbers, asOf: string, names: EditionNames): Reply {
  const body = [
    numbersBody(numbers, { asOf, names, dayCell: day }),
    refreshLink(isRunning(numbers), "/imports"),
    paragraph(link("/import/batch/new", t("imports.new"))),
  ];
  return htmlPage({ title: t("imports.title"), body, head: refreshing(isRunning(numbers)) });
}

export function isRunning({ pending, processing }: Pick<ImportNumbers, "pending" | "processing">): boolean {
  return pending + processing > 0;
}

function numbersBody(
  numbers: ImportNumbers,
  { asOf, names, dayCell }: { asOf: string; names: EditionNames; dayCell: (date: string) => Markup | string },
): Markup {
  const { by_date: dates, created_by_day: created, last } = numbers;
  const count = STATISTICS_DAYS.added;
  // Also while nothing runs: the page may have been opened before an import begins.
  return live("numbers", true, [
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
    dates.length === 0
      ? paragraph(t("imports.added_none", { count }))
      : dataTable({
          caption: t("imports.added_days", { count }),
          members: {
            date: ["desk.day", dayCell],
            waiting: STATUS_WORDS.pending,
            created: STATUS_WORDS.created,
            found: "imports.found",
            failed: STATUS_WORDS.failed,
            all: "imports.all",
          },
          rows: dates.map(({ date, counts, found }) => {
            const { pending: waiting = 0, processing = 0, created: made = 0, failed = 0 } = counts;
            const all = Object.values(counts).reduce((sum, items) => sum + items, 0);
            return { date, waiting: waiting + processing, created: made, found, failed, all };
          }),
        }),
    created.length > 0 &&
      dataTable({
        caption: t("imports.created_days"),
        members: { date: "desk.day", items: "imports.editions" },
        rows: created,
      }),
    last.length === 0
      ? emptyList(t("imports.last"))
      : dataTable({ caption: t("imports.last"), members: IMPORTED, rows: addTitles(last, names) }),
  ]);
}

function remainingText({ pending, eta_hours: hours }: ImportNumbers): Markup | undefined {
  if (pending === 0) return undefined;
  if (hours === null) return t("imports.eta_unknown");
  return hours < 1
    ? t("imports.eta_minutes", { count: Math.ceil(hours * 60) })
    : t("imports.eta_hours", { count: hours });
}

function emptyList(caption: Markup): Markup {
  return paragraph(t("list.pair", { name: caption, value: t("desk.none") }));
}

const ADMIN_LINKS: readonly (readonly [href: string, words: Words])[] = [
  ["/import/batch/new", "imports.new"],
  ["/admin/imports/add", "imports.by_ids"],
  ["/import/batch/pending", "imports.pending_batches"],
];

export function adminStatePage(state: ImportState, asOf: string, names: EditionNames): Reply {
  const { errors, dead, splitting, batches } = state;
  const links = ADMIN_LINKS.map(([href, words]) => ({ href, text: t(words), isCurrent: false }));
  return adminPage({
    title: t("imports.title"),
    parts: [
      tabs(t("imports.title"), links),
      numbersBody(state, {
        asOf,
        names,
        dayCell: (date) => link(`/admin/imports/${date}`, day(date)),
      }),
      refreshLink(isRunning(state), "/admin/imports"),
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

function batchesTable(caption: Markup, batches: readonly PublicBatch[]): Markup {
  if (batches.length === 0) return emptyList(caption);
  return dataTable({
    caption,
    members: {
      id: ["imports.batch", (id) => batchLink(id)],
      name: "desk.name",
      submitter: "desk.by",
      submit_time: "desk.since",
      state: ["desk.state", (_state, batch) => stateText(batch)],
      records: "imports.records",
      skipped: "imports.there",
    },
    rows: batches,
  });
}

export function dayPage({ date, counts, items, page, next }: DayView, names: EditionNames): Reply {
  const values = { day: plainDay(date) };
  return adminPage({
    title: t("imports.numbers_of", values),
    parts: [
      paragraph(
        t("list.pair", {
          name: t("imports.added_items"),
          value: commas(statusCounts(counts).map(([, text]) => text)) ?? t("desk.none"),
        }),
      ),
      itemsTable(t("imports.added_on", values), items, { names }),
      pageTurnLinks(`/admin/imports/${date}`, page, next),
    ],
  });
}

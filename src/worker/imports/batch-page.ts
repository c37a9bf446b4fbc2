import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { IMPORT_FORMATS } from "../../import/formats.ts";
import { hasRole } from "../../catalog/roles.ts";
import { operation } from "../http/operation.ts";
import { type Reply, NO_STORE } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { dots, link } from "../ui/parts.ts";
import { live, progress, refreshing } from "../ui/progress.ts";
import { tabs } from "../ui/tabs.ts";
import { formatCsvLine } from "../../catalog/patrons/csv.ts";
import { storedWarnings } from "../../db/imports/import-rows.ts";
import { type WarnedItem, readWarnedItems } from "../../db/imports/items.ts";
import type { Database } from "../../db/statement.ts";
import { textStream } from "../http/bytes.ts";
import { integer } from "../http/parameters.ts";
import { type BatchView, requireBatch, batchQuery, readBatchView, pageOrData } from "./batch-view.ts";
import { batchViewSchema } from "./schemas.ts";
import { isRunning } from "./import-statistics.ts";
import { STATUS_WORDS, itemsTable, percentSplit, stateText, statusCounts } from "./import-tables.ts";
import { type Words, moment, percentage, t } from "../ui/words.ts";

const SORTS: readonly (readonly [sort: string, words: Words])[] = [
  ["added_time asc", "imports.oldest"],
  ["added_time desc", "imports.newest"],
  ["import_time desc", "imports.last"],
  ["status asc", "imports.by_status"],
];

/** Renders the page of a batch; `asOf` is naive UTC. */
function batchPage(view: BatchView, mayApprove: boolean, asOf: string): Reply {
  const { batch, total, items, counts, status } = view;
  const isMoving = batch.state === "splitting" || isRunning({ pending: 0, processing: 0, ...counts });
  const content = markup`<p class="soft">${t("desk.as_of", { time: moment(asOf) })}</p>
${batchFacts(view)}
${progressBars(view)}
${mayApprove && (counts.needs_review ?? 0) > 0 && approvalForm(view)}
${tabs(t("imports.order"), orderTabs(view))}
${itemsTable(status === null ? t("imports.items") : t("imports.items_of", { status: t(STATUS_WORDS[status]) }), items, true)}
${pageLinks(
  view.page > 1 ? pageAddress(view, { page: view.page - 1 }) : undefined,
  view.page * view.limit < total ? pageAddress(view, { page: view.page + 1 }) : undefined,
  PAGE_TURNS,
)}`;
  return page({
    title: t("imports.batch_number", { id: String(batch.id) }),
    body: live("batch", isMoving, content),
    head: refreshing(isMoving),
  });
}

function batchFacts(view: BatchView): Markup | undefined {
  const { name, submitter, submit_time: time, format, records, skipped } = view.batch;
  return factList([
    [t("desk.name"), name],
    [t("imports.submitted_by"), submitter],
    [t("imports.submitted"), moment(time)],
    [
      t("imports.file"),
      format !== null &&
        dots([
          IMPORT_FORMATS[format].label,
          stateText(view.batch),
          t("imports.file_read", { records, skipped }),
        ]),
    ],
    [t("imports.items"), countList(view)],
  ]);
}

function progressBars({ batch, counts }: BatchView): Markup | undefined {
  const percent = percentSplit(batch);
  const all = Object.values(counts).reduce((sum, items) => sum + items, 0);
  const unfinished = [counts.needs_review, counts.staged, counts.pending, counts.processing];
  const done = all - unfinished.reduce<number>((sum, items = 0) => sum + items, 0);
  if (percent === undefined && (all === 0 || done === all)) return undefined;
  return markup`${percent !== undefined && progress({ label: t("imports.splitting_at", { percent: percentage(percent / 100) }), done: percent, total: 100 })}
${all > 0 && progress({ label: t("imports.items_done"), done, total: all })}`;
}

function orderTabs(view: BatchView) {
  return SORTS.filter(
    ([sort]) => (view.status === null && !view.only_warned) || sort.startsWith("added_time"),
  ).map(([sort, words]) => ({
    href: pageAddress(view, { sort, page: 1 }),
    text: t(words),
    isCurrent: sort === view.sort,
  }));
}

function countList(view: BatchView): Markup {
  const counts = statusCounts(view.counts);
  if (counts.length === 0) return t("desk.none");
  const entry = (status: string | null, text: Markup, warnings = false): Markup =>
    markup`<li>${link(
      pageAddress(view, { status, warnings, page: 1 }),
      text,
      status === view.status && warnings === view.only_warned,
    )}</li>`;
  const isFiltered = view.status !== null || view.only_warned;
  return markup`<ul>${counts.map(([status, text]) => entry(status, text))}${
    view.warned > 0 &&
    markup`${entry(null, t("imports.warned", { count: view.warned }), true)}<li>${link(
      `/import/batch/${view.batch.id}.csv`,
      t("imports.warnings_csv"),
    )}</li>`
  }${isFiltered && entry(null, t("imports.all"))}</ul>`;
}

function approvalForm({ batch, counts }: BatchView): Markup {
  return markup`<form method="post" action="/import/batch/approve/${batch.id}">
<p><button type="submit" class="primary">${t("imports.approve", { count: counts.needs_review ?? 0 })}</button></p></form>`;
}

function pageAddress(
  { batch, limit, sort, status, only_warned: onlyWarned, page: current }: BatchView,
  changes: { sort?: string; status?: string | null; warnings?: boolean; page?: number },
): string {
  const query = new URLSearchParams({ page: String(changes.page ?? current), limit: String(limit) });
  query.set("sort", changes.sort ?? sort);
  const shownStatus = changes.status === undefined ? status : changes.status;
  if (shownStatus !== null) query.set("status", shownStatus);
  if (changes.warnings ?? onlyWarned) query.set("warnings", "true");
  return `/import/batch/${batch.id}?${query}`;
}

export const showBatch = operation({
  id: "importBatch",
  summary: "Get an import batch with its items",
  tag: "import",
  path: { id: z.string().describe("Number of the batch") },
  query: batchQuery,
  responses: {
    200: {
      description: "Batch and items, as HTML or JSON",
      schema: batchViewSchema,
    },
  },
  async handle({ path: { id }, query }, context) {
    const batch = await requireBatch(context, id);
    const view = await readBatchView(context.stores, batch, query);
    return pageOrData(context, view, async () =>
      batchPage(view, hasRole(await context.actor(), "admin"), formatDatetime(context.now)),
    );
  },
});

/** Maximum number of items in one file of warnings. */
const WARNED_ITEMS_MAX = 5000;
/** Items per query of that file. With 25 long warnings each, all of them would not fit into memory. */
const WARNED_ITEMS_PAGE = 500;
const CSV_COLUMNS = ["item", "place", "source", "status", "edition", "field", "value", "code", "message"];

export const batchWarnings = operation({
  id: "importBatchWarnings",
  summary: "Export the warnings of a batch",
  tag: "import",
  path: { id: z.string().describe("Number of the batch") },
  query: { after: integer(z.int().gte(0)).default(0).describe("Number of the item to start after") },
  responses: {
    200: {
      description: `One line per warning, for at most ${WARNED_ITEMS_MAX} items`,
      contentType: "text/csv",
    },
  },
  async handle({ path: { id }, query: { after } }, context) {
    const batch = await requireBatch(context, id);
    return {
      status: 200,
      body: textStream(warningsText(context.stores.catalog, batch.id, after)),
      contentType: "text/csv; charset=utf-8",
      cacheControl: NO_STORE,
      headers: { "Content-Disposition": `attachment; filename="warnings-${batch.id}.csv"` },
    };
  },
});

async function* warningsText(catalog: Database, batch: number, after: number): AsyncGenerator<string> {
  yield formatCsvLine(CSV_COLUMNS);
  let last: number | undefined = after;
  for (let count = 0; count < WARNED_ITEMS_MAX && last !== undefined; count += WARNED_ITEMS_PAGE) {
    const items = await readWarnedItems(catalog, batch, { after: last, limit: WARNED_ITEMS_PAGE });
    yield items.map(warningLines).join("");
    last = items.length < WARNED_ITEMS_PAGE ? undefined : items.at(-1)?.id;
  }
}

function warningLines(item: WarnedItem): string {
  const { id, place, ia_id: source, status, ol_key: edition } = item;
  return storedWarnings(item)
    .map(({ field, value, code, message }) =>
      formatCsvLine([id, place, source, status, edition, field, value, code, message]),
    )
    .join("");
}

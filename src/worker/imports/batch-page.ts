import { IMPORT_FORMATS } from "../../import/formats.ts";
import type { Reply } from "../http/reply.ts";
import { factList } from "../ui/facts.ts";
import { page } from "../ui/layout.ts";
import { type Markup, markup } from "../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { asOfLine, dots, link } from "../ui/parts.ts";
import { live, progress, refreshLink, refreshing } from "../ui/progress.ts";
import { tabs } from "../ui/tabs.ts";
import { isRunning } from "./import-statistics-page.ts";
import {
  type EditionNames,
  STATUS_WORDS,
  itemsTable,
  percentSplit,
  stateText,
  statusCounts,
} from "./items-page.ts";
import type { BatchView } from "./schemas.ts";
import { type Words, moment, percentage, t } from "../ui/words.ts";

const SORTS: readonly (readonly [sort: string, words: Words])[] = [
  ["added_time asc", "imports.oldest"],
  ["added_time desc", "imports.newest"],
  ["import_time desc", "imports.last"],
  ["status asc", "imports.by_status"],
];

/** Renders the page of a batch; `asOf` is naive UTC. */
export function batchPage(
  view: BatchView,
  { mayApprove, asOf, names }: { mayApprove: boolean; asOf: string; names: EditionNames },
): Reply {
  const { batch, total, items, counts, status, sort: current } = view;
  const { id, name, submitter, submit_time: time, format, records, skipped, state } = batch;
  const isMoving = state === "splitting" || isRunning({ pending: 0, processing: 0, ...counts });
  const file = format !== null &&
    records > 0 && [
      IMPORT_FORMATS[format].label,
      stateText(batch),
      t("imports.file_read", { records, skipped }),
    ];
  const facts = factList([
    [t("desk.name"), name],
    [t("imports.submitted_by"), submitter],
    [t("imports.submitted"), moment(time)],
    [t("imports.file"), file && dots(file)],
    [t("imports.items"), countList(view)],
  ]);
  const { needs_review: waiting = 0 } = counts;
  const approval = markup`<form method="post" action="/import/batch/approve/${id}">
<p><button type="submit" class="primary">${t("imports.approve", { count: waiting })}</button></p></form>`;
  const orders = SORTS.filter(
    ([sort]) => (status === null && !view.only_warned) || sort.startsWith("added_time"),
  ).map(([sort, words]) => ({
    href: pageAddress(view, { sort, page: 1 }),
    text: t(words),
    isCurrent: sort === current,
  }));
  const caption =
    status === null ? t("imports.items") : t("imports.items_of", { status: t(STATUS_WORDS[status]) });
  const content = markup`${asOfLine(asOf)}
${facts}
${progressBars(view)}
${mayApprove && waiting > 0 && approval}
${tabs(t("imports.order"), orders)}
${itemsTable(caption, items, { isOneBatch: true, names })}
${pageLinks(
  view.page > 1 ? pageAddress(view, { page: view.page - 1 }) : undefined,
  view.page * view.limit < total ? pageAddress(view, { page: view.page + 1 }) : undefined,
  PAGE_TURNS,
)}`;
  return page({
    title: t("imports.batch_number", { id: String(id) }),
    body: [live("batch", isMoving || waiting > 0, content), refreshLink(isMoving, pageAddress(view, {}))],
    head: refreshing(isMoving),
  });
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

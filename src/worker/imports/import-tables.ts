import type { ShownItem } from "../../db/imports/items.ts";
import type { ImportedItem } from "../../db/imports/statistics.ts";
import type { StatusCounts } from "../../db/imports/import-rows.ts";
import { type BatchState, type ItemStatus, ITEM_STATUSES } from "../../import/statuses.ts";
import { type ImportWarning, WARNINGS } from "../../import/warning.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { commas, link } from "../ui/parts.ts";
import { table } from "../ui/table.ts";
import { type Words, moment, number, percentage, t } from "../ui/words.ts";
import type { PublicBatch } from "./batch-view.ts";
import { type DateCounts, STATISTICS_DAYS } from "./statistics.ts";

export const STATUS_WORDS: Readonly<Record<ItemStatus, Words>> = {
  needs_review: "imports.status_needs_review",
  staged: "imports.status_staged",
  pending: "imports.status_pending",
  processing: "imports.status_processing",
  created: "imports.status_created",
  modified: "imports.status_modified",
  matched: "imports.status_matched",
  found: "imports.status_found",
  failed: "imports.status_failed",
};
const STATE_WORDS: Readonly<Record<BatchState, Words>> = {
  splitting: "imports.state_splitting",
  ready: "imports.state_ready",
  failed: "imports.state_failed",
};

export function statusCounts(counts: StatusCounts): [status: ItemStatus, text: Markup][] {
  return ITEM_STATUSES.flatMap((status) => {
    const items = counts[status];
    const name = t(STATUS_WORDS[status]);
    return items === undefined ? [] : [[status, t("list.pair", { name, value: items })]];
  });
}

export function countsText(counts: StatusCounts): Markup {
  return commas(statusCounts(counts).map(([, text]) => text)) ?? t("desk.none");
}

export function pageTurnLinks(path: string, page: number, next: number | null): Markup | undefined {
  const address = (target: number): string => `${path}?page=${target}`;
  return pageLinks(
    page > 1 ? address(page - 1) : undefined,
    next === null ? undefined : address(next),
    PAGE_TURNS,
  );
}

export function batchLink(id: number, text: string | number = id): Markup {
  return link(`/import/batch/${id}`, text);
}

export function importedTable(caption: Markup, items: readonly ImportedItem[]): Markup {
  return items.length === 0 ? emptyList(caption) : columnTable(caption, IMPORTED_COLUMNS, items);
}

function emptyList(caption: Markup): Markup {
  return markup`<p>${t("list.pair", { name: caption, value: t("desk.none") })}</p>`;
}

export function datesTable(dates: readonly DateCounts[], day: (date: string) => Markup | string): Markup {
  const count = STATISTICS_DAYS.added;
  if (dates.length === 0) return markup`<p>${t("imports.added_none", { count })}</p>`;
  const { pending, created, failed } = STATUS_WORDS;
  const words: Words[] = [pending, created, "imports.found", failed, "imports.all"];
  return table({
    caption: t("imports.added_days", { count }),
    columns: [t("desk.day"), ...words.map((word) => t(word))],
    rows: dates.map(({ date, counts, found }) => [
      day(date),
      number((counts.pending ?? 0) + (counts.processing ?? 0)),
      number(counts.created ?? 0),
      number(found),
      number(counts.failed ?? 0),
      number(Object.values(counts).reduce((sum, items) => sum + items, 0)),
    ]),
  });
}

export function batchesTable(caption: Markup, batches: readonly PublicBatch[]): Markup {
  if (batches.length === 0) return emptyList(caption);
  const words: Words[] = [
    "desk.name",
    "desk.by",
    "desk.since",
    "desk.state",
    "imports.records",
    "imports.there",
  ];
  return table({
    caption,
    columns: [t("imports.batch"), ...words.map((word) => t(word))],
    rows: batches.map((batch) => [
      batchLink(batch.id),
      batch.name,
      batch.submitter,
      moment(batch.submit_time),
      stateText(batch),
      number(batch.records),
      number(batch.skipped),
    ]),
  });
}

export function stateText(batch: PublicBatch): Markup {
  const { state, problem } = batch;
  const percent = percentSplit(batch);
  if (percent !== undefined) return t("imports.splitting_at", { percent: percentage(percent / 100) });
  return markup`${t(STATE_WORDS[state])}${state === "failed" && problem !== null && markup`: <span lang="en">${problem}</span>`}`;
}

export function percentSplit({ state, position, size }: PublicBatch): number | undefined {
  return state !== "splitting" || size === null || size === 0
    ? undefined
    : Math.floor((100 * position) / size);
}

type Column<Item> = readonly [name: Words, cell: (item: Item) => Piece];

const IMPORTED_COLUMNS: readonly Column<Pick<ShownItem, keyof ImportedItem>>[] = [
  ["imports.item", (item) => item.ia_id],
  ["imports.batch", (item) => batchLink(item.batch_id)],
  ["imports.status", (item) => t(STATUS_WORDS[item.status])],
  ["imports.added", (item) => moment(item.added_time)],
  ["imports.imported", ({ import_time: time }) => time !== null && moment(time)],
  ["imports.edition", ({ ol_key: key }) => key !== null && link(addressOf(key), key)],
  ["imports.error", (item) => item.error],
];
const COLUMNS: readonly Column<ShownItem>[] = [
  ...IMPORTED_COLUMNS,
  ["imports.comments", (item) => item.comments],
  ["imports.warnings", (item) => item.warnings !== undefined && warningList(item.warnings)],
  ["desk.by", (item) => item.submitter],
  ["imports.place", (item) => item.place],
  [
    "imports.record",
    ({ data }) =>
      data !== null && markup`<details><summary>${t("imports.show")}</summary><pre>${data}</pre></details>`,
  ],
];

export function warningList(warnings: readonly ImportWarning[]): Markup {
  return markup`<ul>${warnings.map(
    ({ field, value, code }) =>
      markup`<li><code>${field}</code> ${value !== "" && markup`<q>${value}</q> `}${t(WARNINGS[code])}</li>`,
  )}</ul>`;
}

function isEmpty(value: Piece): boolean {
  return value === "" || value === null || value === false;
}

/** Renders items with all their data. Omits empty columns, and the batch column on the page of a batch. */
export function itemsTable(caption: Markup, items: readonly ShownItem[], isOneBatch = false): Markup {
  if (items.length === 0) return markup`<p>${t("desk.nothing")}</p>`;
  const columns = COLUMNS.filter(
    ([name, cell]) =>
      !(isOneBatch && name === "imports.batch") && !items.every((item) => isEmpty(cell(item))),
  );
  return columnTable(caption, columns, items);
}

function columnTable<Item>(caption: Markup, columns: readonly Column<Item>[], items: readonly Item[]) {
  return table({
    caption,
    columns: columns.map(([name]) => t(name)),
    rows: items.map((item) => columns.map(([, cell]) => cell(item))),
  });
}

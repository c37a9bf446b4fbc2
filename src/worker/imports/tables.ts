import type { ShownItem } from "../../db/imports/read-items.ts";
import type { ImportedItem } from "../../db/imports/statistics.ts";
import type { StatusCounts } from "../../db/imports/rows.ts";
import { statusText } from "../../import/statuses.ts";
import { type Markup, type Piece, addressOf, markup } from "../ui/markup.ts";
import { pageLinks } from "../ui/pager.ts";
import { link } from "../ui/parts.ts";
import type { ShownBatch } from "./batch-view.ts";
import { type DateCounts, STATISTICS_DAYS } from "./statistics.ts";
import { table } from "../ui/table.ts";
import { moment } from "../ui/words.ts";

/** Numbers by status, in words. */
export function countsText(counts: StatusCounts): string {
  const parts = Object.entries(counts).map(([status, items]) => `${items} ${statusText(status)}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** Links to the pages around one, which bears a number. */
export function beforeAndNext(path: string, page: number, next: number | null): Markup | undefined {
  const address = (number: number): string => `${path}?page=${number}`;
  return pageLinks(page > 1 ? address(page - 1) : undefined, next === null ? undefined : address(next), {
    newer: "Before",
    older: "Next",
  });
}

/** A link to a batch. */
export function batchLink(id: number, text: string | number = id): Markup {
  return link(`/import/batch/${id}`, text);
}

/** Items that were imported. */
export function importedTable(caption: string, items: readonly ImportedItem[]): Markup {
  if (items.length === 0) return markup`<p>${caption}: none.</p>`;
  return tableOf(caption, IMPORTED_COLUMNS, items);
}

/** What was added on some days, by what has become of it. `day` makes the first cell. */
export function datesTable(dates: readonly DateCounts[], day: (date: string) => Markup | string): Markup {
  const period = `the last ${STATISTICS_DAYS.added} days`;
  if (dates.length === 0) return markup`<p>Nothing was added in ${period}.</p>`;
  return table({
    caption: `Added in ${period}`,
    columns: ["Day", "Pending", "Created", "Found", "Failed", "All"],
    rows: dates.map(({ date, counts, found }) => [
      day(date),
      (counts.pending ?? 0) + (counts.processing ?? 0),
      counts.created ?? 0,
      found,
      counts.failed ?? 0,
      Object.values(counts).reduce((sum, items) => sum + items, 0),
    ]),
  });
}

/** Batches, how far they are split. */
export function batchesTable(caption: string, batches: readonly ShownBatch[]): Markup {
  if (batches.length === 0) return markup`<p>${caption}: none.</p>`;
  return table({
    caption,
    columns: ["Batch", "Name", "By", "Since", "State", "Records", "Already there"],
    rows: batches.map((batch) => [
      batchLink(batch.id),
      batch.name,
      batch.submitter ?? "",
      moment(batch.submit_time),
      stateText(batch),
      batch.records,
      batch.skipped,
    ]),
  });
}

/** How far the file of a batch is split. */
export function stateText({ state, position, size, problem }: ShownBatch): string {
  if (state === "failed") return `stopped: ${problem ?? "for an unknown reason"}`;
  if (state === "ready" || size === null || size === 0) return statusText(state);
  return `splitting, ${Math.floor((100 * position) / size)} %`;
}

type Column<Item> = readonly [name: string, cell: (item: Item) => Piece];

const IMPORTED_COLUMNS: readonly Column<Pick<ShownItem, keyof ImportedItem>>[] = [
  ["Item", (item) => item.ia_id],
  ["Batch", (item) => batchLink(item.batch_id)],
  ["Status", (item) => statusText(item.status)],
  ["Added", (item) => moment(item.added_time)],
  ["Imported", (item) => (item.import_time === null ? "" : moment(item.import_time))],
  ["Edition", ({ ol_key: key }) => (key === null ? "" : link(addressOf(key), key))],
  ["Error", (item) => item.error ?? ""],
];
const COLUMNS: readonly Column<ShownItem>[] = [
  ...IMPORTED_COLUMNS,
  ["Comments", (item) => item.comments ?? ""],
  ["By", (item) => item.submitter ?? ""],
  ["Place", (item) => item.place ?? ""],
  [
    "Record",
    ({ data }) => (data === null ? "" : markup`<details><summary>Show</summary><pre>${data}</pre></details>`),
  ],
];

/** Items with all that is known of them; columns without anything are left out, and on the page of a batch the batch. */
export function itemsTable(caption: string, items: readonly ShownItem[], isOneBatch = false): Markup {
  if (items.length === 0) return markup`<p>There are no items here.</p>`;
  const columns = COLUMNS.filter(
    ([name, cell]) => !(isOneBatch && name === "Batch") && items.some((item) => cell(item) !== ""),
  );
  return tableOf(caption, columns, items);
}

function tableOf<Item>(caption: string, columns: readonly Column<Item>[], items: readonly Item[]): Markup {
  return table({
    caption,
    columns: columns.map(([name]) => name),
    rows: items.map((item) => columns.map(([, cell]) => cell(item))),
  });
}

import type { ShownItem } from "../../../db/imports/items.ts";
import { type Markup, type Piece, markup } from "../../ui/markup.ts";
import { moment, table } from "../../ui/parts.ts";
import { batchLink, editionLink, statusText } from "./import-lists.ts";

const COLUMNS: readonly (readonly [string, (item: ShownItem) => Piece])[] = [
  ["Item", (item) => item.ia_id],
  ["Batch", (item) => batchLink(item.batch_id)],
  ["Status", (item) => statusText(item.status)],
  ["Added", (item) => moment(item.added_time)],
  ["Imported", (item) => (item.import_time === null ? "" : moment(item.import_time))],
  ["Edition", (item) => editionLink(item.ol_key)],
  ["Error", (item) => item.error ?? ""],
  ["Comments", (item) => item.comments ?? ""],
  ["By", (item) => item.submitter ?? ""],
  ["Place", (item) => item.place ?? ""],
  ["Record", (item) => (item.data === null ? "" : record(item.data))],
];

/** Items with all that is known of them; columns without anything are left out, and on the page of a batch the batch. */
export function itemsTable(caption: string, items: readonly ShownItem[], isOneBatch = false): Markup {
  if (items.length === 0) return markup`<p>There are no items here.</p>`;
  const columns = COLUMNS.filter(
    ([name, cell]) => !(isOneBatch && name === "Batch") && items.some((item) => cell(item) !== ""),
  );
  return table({
    caption,
    columns: columns.map(([name]) => name),
    rows: items.map((item) => columns.map(([, cell]) => cell(item))),
  });
}

function record(data: string): Markup {
  return markup`<details><summary>Show</summary><pre>${data}</pre></details>`;
}

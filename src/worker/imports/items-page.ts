import { parseDocument } from "../../catalog/document.ts";
import { lastSegmentOf } from "../../catalog/keys.ts";
import { textOf } from "../../catalog/record.ts";
import type { ShownItem } from "../../db/imports/items.ts";
import type { ImportedItem } from "../../db/imports/statistics.ts";
import type { StatusCounts } from "../../db/imports/import-rows.ts";
import { type BatchState, type ItemStatus, ITEM_STATUSES } from "../../import/statuses.ts";
import { type ImportWarning, WARNINGS } from "../../import/warning.ts";
import { type Columns, dataTable } from "../ui/data-page.ts";
import { type Markup, type Piece, markup } from "../ui/markup.ts";
import { PAGE_TURNS, pageLinks } from "../ui/pager.ts";
import { details, inEnglish, link } from "../ui/parts.ts";
import { type Words, percentage, t } from "../ui/words.ts";
import type { PublicBatch } from "./schemas.ts";

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

export function pageTurnLinks(path: string, page: number, next: number | null): Markup | undefined {
  const previous = page > 1 ? `${path}?page=${page - 1}` : undefined;
  return pageLinks(previous, next === null ? undefined : `${path}?page=${next}`, PAGE_TURNS);
}

export function batchLink(id: number, text: Piece = id): Markup {
  return link(`/import/batch/${id}`, text);
}

export function stateText(batch: PublicBatch): Markup {
  const { state, problem } = batch;
  const percent = percentSplit(batch);
  if (percent !== undefined) return t("imports.splitting_at", { percent: percentage(percent / 100) });
  return markup`${t(STATE_WORDS[state])}${state === "failed" && problem !== null && markup`: ${inEnglish(problem)}`}`;
}

export function percentSplit({ state, position, size }: PublicBatch): number | undefined {
  return state !== "splitting" || size === null || size === 0
    ? undefined
    : Math.floor((100 * position) / size);
}

type Imported = Pick<ShownItem, keyof ImportedItem>;
type Titled<Item> = Item & { readonly title: Piece };
/** Titles of imported editions by key. */
export type EditionNames = ReadonlyMap<string, string>;

export const IMPORTED: Columns<Titled<Imported>> = {
  title: ["member.title", (title) => title],
  ia_id: ["imports.item", (item) => item],
  batch_id: ["imports.batch", (id) => batchLink(id)],
  status: ["imports.status", (status) => t(STATUS_WORDS[status])],
  added_time: "imports.added",
  import_time: "imports.imported",
  ol_key: ["imports.edition", (key) => key && link(key, lastSegmentOf(key))],
  error: "imports.error",
};
const ITEMS: Columns<Titled<ShownItem>> = {
  ...IMPORTED,
  comments: ["imports.comments", (comments) => comments],
  warnings: ["imports.warnings", (warnings) => warnings && warningList(warnings)],
  submitter: "desk.by",
  place: "imports.place",
  data: ["imports.record", (data) => data && details(t("imports.show"), data)],
};

/** Adds titles to items: of the edition, else of the record that waits. */
export function addTitles<Item extends Imported & { readonly data?: string | null }>(
  items: readonly Item[],
  names: EditionNames,
): Titled<Item>[] {
  return items.map((item) => {
    const { ol_key: key, data } = item;
    const name = key === null ? undefined : names.get(key);
    const title = textOf(parseDocument(data ?? "{}")["title"]);
    return { ...item, title: name === undefined || key === null ? title : link(key, name) };
  });
}

export function warningList(warnings: readonly ImportWarning[]): Markup {
  return markup`<ul>${warnings.map(
    ({ field, value, code }) =>
      markup`<li><code>${field}</code> ${value !== "" && markup`<q>${value}</q> `}${t(WARNINGS[code])}</li>`,
  )}</ul>`;
}

/** Renders items with all their data. Omits empty columns, and the batch column on the page of a batch. */
export function itemsTable(
  caption: Markup,
  items: readonly ShownItem[],
  { isOneBatch = false, names }: { isOneBatch?: boolean; names: EditionNames },
): Markup {
  const rows = addTitles(items, names);
  const shown = Object.entries(ITEMS).filter(
    // The object has only members of an item.
    ([name]) =>
      !(isOneBatch && name === "batch_id") &&
      rows.some((row) => (row[name as keyof Titled<ShownItem>] ?? "") !== ""),
  );
  return dataTable({ caption, members: Object.fromEntries(shown), rows });
}

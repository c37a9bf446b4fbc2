import { type PendingBatch, pendingBatches, readBatch } from "../../db/imports/read-batches.ts";
import type { ImportBatch, StatusCounts } from "../../db/imports/rows.ts";
import {
  type ItemPage,
  type ShownItem,
  ITEM_ORDERS,
  countItems,
  pageItems,
} from "../../db/imports/read-items.ts";
import { type ItemStatus, ITEM_STATUSES } from "../../import/statuses.ts";
import { wantsJson } from "../http/accept.ts";
import type { Stores } from "../http/bindings.ts";
import { notFound } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";

/** Items of a batch on a page, and the highest number of items that pages skip. */
export const BATCH_PAGE_LIMIT = { usual: 10, max: 100 };
const BATCH_OFFSET_MAX = 100_000;
/** Batches on a page of those that wait for approval. */
const PENDING_BATCHES_LIMIT = 50;

/** A batch as the wire shows it: without the place of its file. */
export type ShownBatch = Omit<ImportBatch, "object" | "digest" | "updated">;

/** A batch with a page of its items. */
export interface BatchView {
  readonly batch: ShownBatch;
  readonly counts: StatusCounts;
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly sort: string;
  readonly status: ItemStatus | null;
  readonly items: readonly ShownItem[];
}

/** What the address of a page of items says. */
interface ItemsRequest {
  readonly page: number;
  readonly limit: number;
  readonly sort: string;
  readonly status: string;
  /** Only items beyond this one, by number. */
  readonly after: number | undefined;
}

/** The order that a text names, `import_time desc`; the usual one for any other text. */
function itemOrder(text: string): ItemPage["sort"] {
  const [name, order, ...rest] = text.trim().split(/\s+/);
  const by = ITEM_ORDERS.find((one) => one === name);
  if (by === undefined || (order !== "asc" && order !== "desc") || rest.length > 0) {
    return { by: "added_time", order: "asc" };
  }
  return { by, order };
}

/** A batch as it is shown. */
export function shownBatch({
  object: _object,
  digest: _digest,
  updated: _updated,
  ...batch
}: ImportBatch): ShownBatch {
  return batch;
}

/** Reads a page of a batch. Two statements. */
export async function batchView(
  { catalog }: Stores,
  batch: ImportBatch,
  { page, limit, sort: asked, status: wanted, after }: ItemsRequest,
): Promise<BatchView> {
  const status = ITEM_STATUSES.find((one) => one === wanted);
  const order = itemOrder(asked);
  const sort = status === undefined ? order : { ...order, by: "added_time" as const };
  const offset = Math.min((page - 1) * limit, BATCH_OFFSET_MAX);
  const [counts, items] = await Promise.all([
    countItems(catalog, batch.id),
    pageItems(catalog, batch.id, { sort, limit, offset, status, after }),
  ]);
  const total = status === undefined ? sum(counts) : (counts[status] ?? 0);
  return {
    batch: shownBatch(batch),
    counts,
    total,
    page,
    limit,
    sort: `${sort.by} ${sort.order}`,
    status: status ?? null,
    items,
  };
}

function sum(counts: StatusCounts): number {
  return Object.values(counts).reduce((total, items) => total + items, 0);
}

/** A page of batches that wait for approval. */
export interface PendingView {
  readonly batches: readonly PendingBatch[];
  readonly page: number;
  /** Number of the next page, if there may be one. */
  readonly next: number | null;
}

/** Reads a page of the batches that wait for approval. One statement. */
export async function pendingView({ catalog }: Stores, page: number): Promise<PendingView> {
  const limit = PENDING_BATCHES_LIMIT;
  const batches = await pendingBatches(catalog, { limit, offset: (page - 1) * limit });
  return { batches, page, next: batches.length < limit ? null : page + 1 };
}

/** The batch whose number stands in an address; 404 when there is none. */
export async function batchAt({ stores }: RequestContext, text: string): Promise<ImportBatch> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const batch = id === undefined ? undefined : await readBatch(stores.catalog, id);
  if (batch === undefined) throw notFound();
  return batch;
}

/** Q350: batches are pages, and JSON under `.json` or where `Accept` likes it best. */
export function wantsPage({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && !wantsJson(request);
}

/** A page, or for programs what it shows. */
export function pageOrValue<Value>(
  context: RequestContext,
  value: Value,
  pageOf: (value: Value) => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  if (wantsPage(context)) return pageOf(value);
  return json(value, { cacheControl: NO_STORE, headers: { Vary: "Accept" } });
}

/** A batch for programs. */
export function batchReply(batch: ImportBatch): Reply {
  return json({ batch: shownBatch(batch) }, { cacheControl: NO_STORE });
}

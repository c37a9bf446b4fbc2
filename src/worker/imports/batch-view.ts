import * as z from "zod";
import { readBatch } from "../../db/imports/batches.ts";
import {
  type ItemPage,
  ITEM_ORDERS,
  countItems,
  countWarned,
  readImportItems,
} from "../../db/imports/items.ts";
import type { ImportBatch, StatusCounts } from "../../db/imports/import-rows.ts";
import { ITEM_STATUSES } from "../../import/statuses.ts";
import { wantsJson } from "../http/accept.ts";
import type { Stores } from "../http/bindings.ts";
import { notFound } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { integer, lenientInteger } from "../http/parameters.ts";
import { type Reply, NO_STORE, json } from "../http/reply.ts";
import type { batchViewSchema } from "./schemas.ts";

const BATCH_OFFSET_MAX = 100_000;
export const BATCH_PAGES_MAX = 100_000;
export type PublicBatch = Omit<ImportBatch, "object" | "digest" | "updated">;
export type BatchView = Readonly<z.output<typeof batchViewSchema>>;

export const batchQuery = {
  page: lenientInteger(1, { min: 1, max: BATCH_PAGES_MAX }),
  limit: lenientInteger(10, { min: 1, max: 100 }),
  sort: z
    .string()
    .default("added_time asc")
    .meta({
      description: "Order of the items; unknown values mean the default",
      enum: ITEM_ORDERS.flatMap((name) => [`${name} asc`, `${name} desc`]),
    }),
  status: z.string().default("").describe("Status of the items to return"),
  warnings: z.string().default("").describe("`true` for items with warnings only, ordered by number"),
  after: integer(z.int().gte(0)).optional().describe("Number of the item to start after; orders by number"),
};
type BatchQuery = { [name in keyof typeof batchQuery]: z.output<(typeof batchQuery)[name]> };

function parseItemOrder(text: string): ItemPage["sort"] {
  const [name, order, ...rest] = text.trim().split(/\s+/);
  const by = ITEM_ORDERS.find((member) => member === name);
  if (by === undefined || (order !== "asc" && order !== "desc") || rest.length > 0) {
    return { by: "added_time", order: "asc" };
  }
  return { by, order };
}

export function toPublicBatch({
  object: _object,
  digest: _digest,
  updated: _updated,
  ...batch
}: ImportBatch): PublicBatch {
  return batch;
}

export async function readBatchView(
  { catalog }: Stores,
  batch: ImportBatch,
  { page, limit, sort: sortText, status: statusText, warnings, after }: BatchQuery,
): Promise<BatchView> {
  const status = ITEM_STATUSES.find((known) => known === statusText);
  const order = parseItemOrder(sortText);
  const isWarned = warnings === "true";
  const sort = status === undefined && !isWarned ? order : { ...order, by: "added_time" as const };
  const offset = Math.min((page - 1) * limit, BATCH_OFFSET_MAX);
  const [counts, warned, items] = await Promise.all([
    countItems(catalog, batch.id),
    countWarned(catalog, batch.id),
    readImportItems(catalog, batch.id, { sort, limit, offset, status, after, warned: isWarned }),
  ]);
  const shown = isWarned ? warned : counts;
  return {
    batch: toPublicBatch(batch),
    counts,
    total: status === undefined ? totalOf(shown) : (shown[status] ?? 0),
    page,
    limit,
    sort: `${sort.by} ${sort.order}`,
    status: status ?? null,
    warned: totalOf(warned),
    only_warned: isWarned,
    items,
  };
}

function totalOf(counts: StatusCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Reads the batch whose number is in the path. Throws 404 if there is none. */
export async function requireBatch({ stores }: RequestContext, text: string): Promise<ImportBatch> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  const batch = id === undefined ? undefined : await readBatch(stores.catalog, id);
  if (batch === undefined) throw notFound();
  return batch;
}

/** Q350: batches are HTML pages, and JSON under `.json` or if `Accept` prefers it. */
export function wantsBatchPage({ url, request }: RequestContext): boolean {
  return !url.pathname.endsWith(".json") && !wantsJson(request);
}

export function replyWithBatch(batch: ImportBatch): Reply {
  return json({ batch: toPublicBatch(batch) }, { cacheControl: NO_STORE });
}

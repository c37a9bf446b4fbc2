import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { formatCsvLine } from "../../catalog/patrons/csv.ts";
import { hasRole } from "../../catalog/roles.ts";
import { storedWarnings } from "../../db/imports/import-rows.ts";
import { ITEM_ORDERS, countItems, readImportItems, readWarnedItems } from "../../db/imports/items.ts";
import { ITEM_STATUSES } from "../../import/statuses.ts";
import { textStream } from "../http/bytes.ts";
import { operation } from "../http/operation.ts";
import { integer, lenientInteger } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { batchPage } from "./batch-page.ts";
import { BATCH_PAGES_MAX, readEditionNames, requireBatch, toPublicBatch } from "./batch-view.ts";
import { type BatchView, batchViewSchema } from "./schemas.ts";

const BATCH_OFFSET_MAX = 100_000;
const ORDERS = ITEM_ORDERS.flatMap((by) =>
  (["asc", "desc"] as const).map((order) => ({ name: `${by} ${order}`, by, order })),
);
const DEFAULT_ORDER = { by: "added_time", order: "asc" } as const;

export const showBatch = resource({
  id: "importBatch",
  summary: "Get an import batch with its items",
  tag: "import",
  path: { id: z.string().describe("Number of the batch") },
  query: {
    page: lenientInteger(1, { min: 1, max: BATCH_PAGES_MAX }),
    limit: lenientInteger(10, { min: 1, max: 100 }),
    sort: z
      .string()
      .default("added_time asc")
      .meta({
        description: "Order of the items; unknown values mean the default",
        enum: ORDERS.map(({ name }) => name),
      }),
    status: z.string().default("").describe("Status of the items to return"),
    warnings: z.string().default("").describe("`true` for items with warnings only, ordered by number"),
    after: integer(z.int().gte(0)).optional().describe("Number of the item to start after; orders by number"),
  },
  responses: {
    200: {
      description: "Batch and items, as HTML or JSON",
      schema: batchViewSchema,
    },
  },
  isPageByDefault: true,
  async read({ path: { id }, query: { page, limit, after, ...query } }, context): Promise<BatchView> {
    const batch = await requireBatch(context, id);
    const { catalog } = context.stores;
    const status = ITEM_STATUSES.find((known) => known === query.status);
    const isWarned = query.warnings === "true";
    const sortText = query.sort.trim().replaceAll(/\s+/g, " ");
    const order = ORDERS.find(({ name }) => name === sortText) ?? DEFAULT_ORDER;
    const sort = status === undefined && !isWarned ? order : { ...order, by: DEFAULT_ORDER.by };
    const offset = Math.min((page - 1) * limit, BATCH_OFFSET_MAX);
    const [counts, warnedCounts, items] = await Promise.all([
      countItems(catalog, "batch", batch.id),
      countItems(catalog, "warned", batch.id),
      readImportItems(catalog, batch.id, { sort, limit, offset, status, after, warned: isWarned }),
    ]);
    const [all = 0, warned = 0] = [counts, warnedCounts].map((numbers) =>
      Object.values(numbers).reduce((sum, count) => sum + count, 0),
    );
    const shown = isWarned ? warnedCounts : counts;
    const total = isWarned ? warned : all;
    return {
      batch: toPublicBatch(batch),
      counts,
      total: status === undefined ? total : (shown[status] ?? 0),
      page,
      limit,
      sort: `${sort.by} ${sort.order}`,
      status: status ?? null,
      warned,
      only_warned: isWarned,
      items,
    };
  },
  asJson: (view) => json(view, { cacheControl: NO_STORE }),
  async page(view, _input, context) {
    const [actor, names] = await Promise.all([context.actor(), readEditionNames(context, view.items)]);
    return batchPage(view, { mayApprove: hasRole(actor, "admin"), asOf: formatDatetime(context.now), names });
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
    const { catalog } = context.stores;
    async function* lines(): AsyncGenerator<string> {
      yield formatCsvLine(CSV_COLUMNS);
      let last: number | undefined = after;
      for (let count = 0; count < WARNED_ITEMS_MAX && last !== undefined; count += WARNED_ITEMS_PAGE) {
        const items = await readWarnedItems(catalog, batch.id, { after: last, limit: WARNED_ITEMS_PAGE });
        const cells = items.flatMap((item) =>
          storedWarnings(item).map(({ field, value, code, message }) => [
            item.id,
            item.place,
            item.ia_id,
            item.status,
            item.ol_key,
            field,
            value,
            code,
            message,
          ]),
        );
        yield cells.map(formatCsvLine).join("");
        last = items.length < WARNED_ITEMS_PAGE ? undefined : items.at(-1)?.id;
      }
    }
    return {
      status: 200,
      body: textStream(lines()),
      contentType: "text/csv; charset=utf-8",
      cacheControl: NO_STORE,
      headers: { "Content-Disposition": `attachment; filename="warnings-${batch.id}.csv"` },
    };
  },
});

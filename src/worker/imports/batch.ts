import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { formatCsvLine } from "../../catalog/patrons/csv.ts";
import { hasRole } from "../../catalog/roles.ts";
import { storedWarnings } from "../../db/imports/import-rows.ts";
import { type WarnedItem, readWarnedItems } from "../../db/imports/items.ts";
import type { Database } from "../../db/statement.ts";
import { textStream } from "../http/bytes.ts";
import { operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { resource } from "../http/views.ts";
import { batchPage } from "./batch-page.ts";
import { batchQuery, readBatchView, requireBatch } from "./batch-view.ts";
import { batchViewSchema } from "./schemas.ts";

export const showBatch = resource({
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
  isPageByDefault: true,
  read: async ({ path: { id }, query }, context) =>
    readBatchView(context.stores, await requireBatch(context, id), query),
  asJson: (view) => json(view, { cacheControl: NO_STORE }),
  page: async (view, _input, context) =>
    batchPage(view, hasRole(await context.actor(), "admin"), formatDatetime(context.now)),
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

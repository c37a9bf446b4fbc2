import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { runBackfillPage } from "../../db/imports/backfill.ts";
import { releaseLost, retryFailed, takeForgotten } from "../../db/imports/claims.ts";
import { readUnfinishedBatches, takeIdleBatches } from "../../db/imports/batches.ts";
import { countItems } from "../../db/imports/items.ts";
import { operation } from "../http/operation.ts";
import type { BudgetedJobs, Jobs } from "../http/queue.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { toPublicBatch } from "./batch-view.ts";
import { queueItems, queueSplit } from "./import-queue.ts";
import { batchSchema } from "./schemas.ts";

export const IMPORT_LOST_MS = 600_000;
export const SPLIT_IDLE_MS = 60_000;
/** Maximum number of items that one sweep releases and resends. `RESUMED_BATCHES_MAX` limits the batches. */
const RESUMED_ITEMS_MAX = 5000;
const RESUMED_BATCHES_MAX = 20;
/** Number of lost workers after which an item fails: the item itself may be what crashes the service. */
export const IMPORT_LOSSES_MAX = 10;

/** Error code of items that failed because of the service, not because of their record. */
export const INTERNAL_ERROR = "internal-error";

/**
 * Resumes abandoned work: items whose worker was lost, items whose message was lost, and idle files. Each counts as
 * abandoned after `lostMs` milliseconds at the latest.
 */
export async function resumeImports({ stores, sources }: Jobs, lostMs = IMPORT_LOST_MS) {
  const { catalog, importQueue } = stores;
  const time = sources.now();
  const now = formatDatetime(time);
  const before = formatDatetime(time - lostMs);
  const released = await releaseLost(catalog, {
    before,
    now,
    limit: RESUMED_ITEMS_MAX,
    lossesMax: IMPORT_LOSSES_MAX,
    error: INTERNAL_ERROR,
    reason: `The service broke off ${IMPORT_LOSSES_MAX} times while this was being imported.`,
  });
  const items = await takeForgotten(catalog, { before, now, limit: RESUMED_ITEMS_MAX });
  await queueItems(importQueue, items);
  const batches = await takeIdleBatches(catalog, {
    before: formatDatetime(time - Math.min(lostMs, SPLIT_IDLE_MS)),
    now,
    limit: RESUMED_BATCHES_MAX,
  });
  for (const batch of batches) await queueSplit(importQueue, batch);
  return { released, sent: items.length, batches: batches.length };
}

const RESUME_BODY_BYTES = 1024;
const STALE_SECONDS_MAX = 366 * 24 * 3600;
const CODE_LENGTH = 100;

export const resumeQueue = operation({
  id: "resumeImports",
  summary: "Resume abandoned imports",
  tag: "operation",
  json: z
    .strictObject({
      stale_seconds: z
        .number()
        .gte(0)
        .lte(STALE_SECONDS_MAX)
        .default(IMPORT_LOST_MS / 1000)
        .describe("Age in seconds after which idle work counts as abandoned; 0 after a crash"),
      retry_failed: z
        .string()
        .max(CODE_LENGTH)
        .optional()
        .describe(`Error code of failed items to retry, for example \`${INTERNAL_ERROR}\``),
    })
    .optional(),
  bodyBytes: RESUME_BODY_BYTES,
  responses: {
    200: {
      description: `Number of resumed items, at most ${RESUMED_ITEMS_MAX} per request, and of those left`,
      schema: z.object({
        retried: z.int(),
        released: z.int(),
        sent: z.int(),
        batches: z.int(),
        pending: z.int(),
        processing: z.int(),
        splitting: z.array(batchSchema),
      }),
    },
  },
  async handle({ json: body }, context) {
    const { stale_seconds: seconds = IMPORT_LOST_MS / 1000, retry_failed: error } = body ?? {};
    const { catalog } = context.stores;
    const limit = RESUMED_ITEMS_MAX;
    const retried = error === undefined ? 0 : await retryFailed(catalog, { error, limit });
    const resumed = await resumeImports(context, seconds * 1000);
    const [{ pending = 0, processing = 0 }, splitting] = await Promise.all([
      countItems(catalog, "waiting"),
      readUnfinishedBatches(catalog, RESUMED_BATCHES_MAX),
    ]);
    const left = { pending, processing, splitting: splitting.map(toPublicBatch) };
    return json({ retried, ...resumed, ...left }, { cacheControl: NO_STORE });
  },
});

/** Adds missing index rows to older records within the budget. The next sweep continues. */
export async function backfillRows({ stores, settings, budget }: BudgetedJobs): Promise<void> {
  while ((await runBackfillPage(stores.catalog, settings.RECORD_PREFIX)) && !budget.isOver());
}

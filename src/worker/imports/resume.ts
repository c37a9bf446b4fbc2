import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { backfillPage } from "../../db/imports/backfill.ts";
import { releaseLost, retryFailed, takeForgotten } from "../../db/imports/claims.ts";
import { unfinishedBatches } from "../../db/imports/read-batches.ts";
import { countWaiting } from "../../db/imports/statistics.ts";
import { takeIdleBatches } from "../../db/imports/write-batches.ts";
import { operation } from "../http/operation.ts";
import { type Jobs, JOB_BUDGET_MS } from "../http/queue.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { shownBatch } from "./batch-view.ts";
import { queueItems, queueSplit } from "./queue.ts";
import { batchSchema } from "./schemas.ts";

/** After how long somebody who imports an item counts as lost, and a message too, in milliseconds. */
export const IMPORT_LOST_MS = 600_000;
/** After how long the splitting of a file counts as left alone, in milliseconds. */
export const SPLIT_IDLE_MS = 60_000;
/** Items that one sweep gives back, and sends again; batches that it has gone on with. */
const RESUMED_ITEMS_MAX = 5000;
const RESUMED_BATCHES_MAX = 20;
/** After how many losses of whoever imports it an item fails: it may be what breaks the service off. */
export const IMPORT_LOSSES_MAX = 10;

/** Code of items that the service, and not their record, is to blame for. */
export const INTERNAL_ERROR = "internal-error";

/**
 * Takes up what was left alone: items whose holder was lost, items whose message was lost, files that nobody splits. All of
 * it counts as left alone after the given time at most.
 */
export async function resumeImports(
  { stores, sources }: Pick<Jobs, "stores" | "sources">,
  lostMs = IMPORT_LOST_MS,
) {
  const { catalog, importQueue } = stores;
  const time = sources.now();
  const now = datetimeText(time);
  const before = datetimeText(time - lostMs);
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
    before: datetimeText(time - Math.min(lostMs, SPLIT_IDLE_MS)),
    now,
    limit: RESUMED_BATCHES_MAX,
  });
  for (const batch of batches) await queueSplit(importQueue, batch);
  return { released, sent: items.length, batches: batches.length };
}

/** Largest body, in bytes. */
const RESUME_BODY_BYTES = 1024;
/** A year. */
const STALE_SECONDS_MAX = 366 * 24 * 3600;
/** Longest code of an error, in characters. */
const CODE_LENGTH = 100;

/** `POST /system/imports`: takes up what was left alone, as the sweep does, and says how imports stand. */
export const resumeQueue = operation({
  id: "resumeImports",
  summary: "Go on with imports that were left alone",
  tag: "operation",
  json: z
    .strictObject({
      stale_seconds: z
        .number()
        .gte(0)
        .lte(STALE_SECONDS_MAX)
        .default(IMPORT_LOST_MS / 1000)
        .describe("What nobody has worked on for so long counts as left alone; 0 after a crash"),
      retry_failed: z
        .string()
        .max(CODE_LENGTH)
        .optional()
        .describe(`Try items again that have failed with this code, such as \`${INTERNAL_ERROR}\``),
    })
    .optional(),
  bodyBytes: RESUME_BODY_BYTES,
  responses: {
    200: {
      description: `What was taken up, ${RESUMED_ITEMS_MAX} items a call at most, and what is left`,
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
  async handle({ json: wish }, { stores, sources }) {
    const { stale_seconds: seconds = IMPORT_LOST_MS / 1000, retry_failed: error } = wish ?? {};
    const { catalog } = stores;
    const limit = RESUMED_ITEMS_MAX;
    const retried = error === undefined ? 0 : await retryFailed(catalog, { error, limit });
    const resumed = await resumeImports({ stores, sources }, seconds * 1000);
    const [waiting, splitting] = await Promise.all([
      countWaiting(catalog),
      unfinishedBatches(catalog, RESUMED_BATCHES_MAX),
    ]);
    const answer = { retried, ...resumed, ...waiting, splitting: splitting.map(shownBatch) };
    return json(answer, { cacheControl: NO_STORE });
  },
});

/** Gives missing index rows to records from before, for a bounded time; the next sweep goes on. */
export async function backfillRows({ stores, settings, sources }: Jobs): Promise<void> {
  const deadline = sources.now() + JOB_BUDGET_MS;
  while (await backfillPage(stores.catalog, settings.RECORD_PREFIX)) {
    if (sources.now() >= deadline) return;
  }
}

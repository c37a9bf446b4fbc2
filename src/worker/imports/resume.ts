import { datetimeText } from "../../catalog/datetime.ts";
import { takeIdleBatches } from "../../db/imports/batches.ts";
import { releaseLost, takeForgotten } from "../../db/imports/claims.ts";
import type { Jobs } from "../http/queue.ts";
import { queueItems, queueSplit } from "./queue-items.ts";

/** After how long somebody who imports an item counts as lost, and a message too, in milliseconds. */
export const IMPORT_LOST_MS = 600_000;
/** After how long the splitting of a file counts as left alone, in milliseconds. */
export const SPLIT_IDLE_MS = 60_000;
/** Items that one sweep gives back, and sends again; batches that it has gone on with. */
export const RESUMED_ITEMS_MAX = 5000;
export const RESUMED_BATCHES_MAX = 20;
/** After how many losses of whoever imports it an item fails: it may be what breaks the service off. */
export const IMPORT_LOSSES_MAX = 10;

/** Code of items that the service, and not their record, is to blame for. */
export const INTERNAL_ERROR = "internal-error";

/** What was taken up again. */
export interface Resumed {
  /** Items whose claims were given back. */
  readonly released: number;
  /** Items for which another message was sent. */
  readonly sent: number;
  /** Batches whose files are being split again. */
  readonly batches: number;
}

/**
 * Takes up what was left alone: items whose holder was lost, items whose message was lost, files that nobody splits. All of
 * it counts as left alone after the given time at most.
 */
export async function resumeImports(
  { stores, sources }: Pick<Jobs, "stores" | "sources">,
  lostMs = IMPORT_LOST_MS,
): Promise<Resumed> {
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

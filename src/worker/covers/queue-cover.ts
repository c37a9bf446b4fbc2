import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { dueCovers, unrenderedCovers } from "../../db/covers/read-covers.ts";
import { type Jobs, sendOrLog } from "../http/queue.ts";

/** Message of the queue `carrel-cover-jobs`: number of a pending cover. Messages may be lost, duplicated or late. */
export const coverMessage = z.object({ cover: z.int().positive() });

export function queueCover(jobs: Queue, cover: number, delaySeconds = 0): Promise<void> {
  const message: z.output<typeof coverMessage> = { cover };
  return sendOrLog("cover", { cover }, () => jobs.send(message, { delaySeconds }));
}

/** Milliseconds after which a cover is enqueued again, and maximum number of covers per sweep. */
export const COVER_IDLE_MS = 60_000;
export const COVERS_SWEPT = 100;

/** Enqueues covers whose messages were lost, and covers that were stored without smaller sizes. Part of the sweep. */
export async function continueCovers({ stores, sources }: Jobs): Promise<void> {
  const before = datetimeText(sources.now() - COVER_IDLE_MS);
  const due = await dueCovers(stores.catalog, before, COVERS_SWEPT);
  const unrendered = await unrenderedCovers(stores.catalog, COVERS_SWEPT);
  for (const id of [...due, ...unrendered]) await queueCover(stores.coverJobs, id);
}

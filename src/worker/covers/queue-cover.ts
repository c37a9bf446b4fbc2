import { datetimeText } from "../../catalog/datetime.ts";
import { dueCovers, unrenderedCovers } from "../../db/covers/read.ts";
import { type Jobs, sendOrLog } from "../http/queue.ts";

/** Message of the queue `carrel-cover-jobs`: the number of a pending cover. Messages may be lost, doubled, or late. */
export interface CoverMessage {
  readonly cover: number;
}

/** Has the image of a pending cover fetched. */
export function queueCover(queue: Queue, cover: number, delaySeconds = 0): Promise<void> {
  const message: CoverMessage = { cover };
  return sendOrLog("cover", { cover }, () => queue.send(message, { delaySeconds }));
}

/** After how long a cover counts as left alone, in milliseconds, and how many of these one sweep takes up. */
export const COVER_IDLE_MS = 60_000;
export const COVERS_SWEPT = 100;

/** The sweep: has covers fetched whose messages were lost, and those in smaller sizes made that were stored without. */
export async function continueCovers({ stores, sources }: Jobs): Promise<void> {
  const before = datetimeText(sources.now() - COVER_IDLE_MS);
  const due = await dueCovers(stores.catalog, before, COVERS_SWEPT);
  const unrendered = await unrenderedCovers(stores.catalog, COVERS_SWEPT);
  for (const id of [...due, ...unrendered]) await queueCover(stores.coverJobs, id);
}

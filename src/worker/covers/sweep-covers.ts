import { datetimeText } from "../../catalog/datetime.ts";
import { dueCovers } from "../../db/covers/pending-covers.ts";
import type { Jobs } from "../queue/job-kind.ts";
import { queueCover } from "./queue-cover.ts";

/** After how long a cover counts as left alone, in milliseconds, and how many of these one sweep takes up. */
export const COVER_IDLE_MS = 60_000;
export const COVERS_SWEPT = 100;

/** The sweep: has covers fetched whose messages were lost. */
export async function continueCovers({ stores, sources }: Jobs): Promise<void> {
  const before = datetimeText(sources.now() - COVER_IDLE_MS);
  for (const id of await dueCovers(stores.catalog, before, COVERS_SWEPT)) {
    await queueCover(stores.coverJobs, id);
  }
}

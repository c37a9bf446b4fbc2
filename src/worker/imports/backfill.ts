import { backfillPage } from "../../db/imports/backfill.ts";
import { type Jobs, JOB_BUDGET_MS } from "../http/queue.ts";

/** Gives missing index rows to records from before, for a bounded time; the next sweep goes on. */
export async function backfillRows({ stores, settings, sources }: Jobs): Promise<void> {
  const deadline = sources.now() + JOB_BUDGET_MS;
  while (await backfillPage(stores.catalog, settings.RECORD_PREFIX)) {
    if (sources.now() >= deadline) return;
  }
}

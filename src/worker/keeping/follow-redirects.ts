import { datetimeMilliseconds } from "../../catalog/datetime.ts";
import { nextRange } from "../../db/indexing/log.ts";
import { readRedirects } from "../../db/patrons/redirects.ts";
import { isNothingHeld, openMoves } from "../../db/patrons/work-moves.ts";
import { advance, readProgress } from "../../db/indexing/cursor.ts";
import { type Jobs, JOB_BUDGET_MS, sendPatronJob } from "../http/queue.ts";
import { MOVE_KIND, MOVE_SETTLE_MS } from "./move-works.ts";

const PROJECTION = "patron-works";
/** Revisions of the log that are looked at together for redirects. */
const RANGE_RECORDS = 5000;

/**
 * The projection `patron-works`: finds works that became redirects, so that what patrons hold of them follows. Idempotent,
 * and complete whatever messages were lost, because the cursor decides.
 */
export async function followRedirects(jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const { cursor, end } = await readProgress(stores.catalog, PROJECTION);
  if (cursor >= end) return;
  if (await isNothingHeld(stores.patrons)) return advance(stores.catalog, PROJECTION, end);
  const deadline = sources.now() + JOB_BUDGET_MS;
  for (let at = cursor; at < end && sources.now() < deadline;) {
    const range = await nextRange(stores.catalog, at, RANGE_RECORDS);
    if (range === undefined) return;
    await noteRedirects(jobs, range);
    await advance(stores.catalog, PROJECTION, range.to);
    at = range.to;
  }
}

async function noteRedirects(
  { stores, sources }: Jobs,
  range: { readonly from: number; readonly to: number },
): Promise<void> {
  const redirects = await readRedirects(stores.catalog, range);
  if (redirects.length === 0) return;
  const now = sources.now();
  // What was redirected long ago, as in a dump, has nobody's message on its way.
  const isNew = ({ modified }: { modified: string }): boolean =>
    datetimeMilliseconds(modified) > now - MOVE_SETTLE_MS;
  const opened = await openMoves(stores.patrons, {
    works: redirects.filter((one) => !isNew(one)).map(({ work }) => work),
    always: redirects.filter(isNew).map(({ work }) => work),
    now,
  });
  for (const work of opened) await sendPatronJob(stores.patronJobs, { kind: MOVE_KIND, work });
}

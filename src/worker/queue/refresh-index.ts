import { type Settings, type Stores, systemSources } from "../context.ts";
import { indexingOf } from "../indexing/indexing.ts";
import { indexProgress } from "../indexing/progress.ts";
import { type Run, indexNow } from "../indexing/run.ts";
import { logLine } from "../log.ts";
import { announceChange } from "./announce.ts";

/**
 * The projections `search` and `counts`: brings the index up to date. When the time is over before that is done, a
 * message to the queue makes another run go on; an index that is very far behind is left to the sweep, as a rebuild
 * is the shorter way then.
 */
export async function refreshIndex(stores: Stores, settings: Settings): Promise<Run> {
  const indexing = indexingOf(stores, settings, systemSources);
  const run = await indexNow(indexing);
  if (!run.isBehind) return run;
  const { change, records, rebuild } = await indexProgress(indexing);
  if (rebuild) logLine("error", "index", { problem: "far behind: npm run reindex", records });
  else await announceChange(stores.indexQueue, change);
  return run;
}

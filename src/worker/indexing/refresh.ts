import * as z from "zod";
import { datetimeText } from "../../catalog/datetime.ts";
import { advance, readProgress } from "../../db/indexing/cursor.ts";
import { putJobs } from "../../db/indexing/jobs.ts";
import type { Stores } from "../http/bindings.ts";
import { LANGUAGE_COUNTS } from "../http/derived-answers.ts";
import { logLine } from "../http/log.ts";
import { type Jobs, announceChange, batchQueue } from "../http/queue.ts";
import { type Indexing, indexProgress, indexingsOf } from "./indexing.ts";
import { type Run, indexNow } from "./run.ts";

/** Answers in KV that are made of many records. */
const DERIVED = [LANGUAGE_COUNTS];

/**
 * The queue that says that changes were stored, as projections that are brought up to date one after the other. Whatever a
 * message says only wakes them: cursors decide.
 */
export function changeQueue(projections: readonly ((jobs: Jobs) => Promise<unknown>)[]) {
  return batchQueue({
    name: "carrel-index",
    event: "index",
    misfit: "not a change",
    message: z.unknown(),
    async work(_messages, jobs) {
      for (const bringUpToDate of projections) await bringUpToDate(jobs);
    },
  });
}

/**
 * The projection `answers`: drops the derived answers in KV when the catalog has changed since they were last
 * dropped. Idempotent, and complete whatever messages were lost, because the cursor decides.
 */
export async function refreshAnswers({
  stores: { catalog, cache },
}: {
  readonly stores: Pick<Stores, "catalog" | "cache">;
}): Promise<void> {
  const { cursor, end } = await readProgress(catalog, "answers");
  if (cursor >= end) return;
  for (const name of DERIVED) await cache.delete(name);
  await advance(catalog, "answers", end);
}

/**
 * The projections `search` and `counts`, and those of a shadow: brings the indexes up to date, first the one that answers.
 * What a shadow fails with is noted: it does not hold up the others, and the sweep tries it again.
 */
export async function refreshIndex({ stores, settings, sources }: Jobs): Promise<Run> {
  const [answering, ...shadows] = indexingsOf(stores, settings, sources);
  const run = await refreshOne(stores, answering);
  for (const shadow of shadows) {
    try {
      await refreshOne(stores, shadow);
    } catch (error) {
      const { engine } = shadow.search;
      logLine("error", "index", { problem: "the shadow is not followed", engine, error: String(error) });
    }
  }
  return run;
}

/**
 * Brings one index up to date. When the time is over before that is done, a message to the queue makes another run go on; an
 * index that is very far behind is left to the sweep, as a rebuild is the shorter way then.
 */
async function refreshOne(stores: Stores, indexing: Indexing): Promise<Run> {
  const run = await indexNow(indexing);
  if (!run.isBehind) return run;
  const { change, records, rebuild } = await indexProgress(indexing);
  if (rebuild) logLine("error", "index", { problem: "far behind: npm run reindex", records });
  else await announceChange(stores.indexQueue, change);
  return run;
}

/**
 * Has works anew in the index, of which the records are as before but something else that they show is not. An edition
 * without a work stands in the index as if it were one.
 */
export async function indexAnew({ stores, settings, sources }: Jobs, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  for (const { catalog, search } of indexingsOf(stores, settings, sources)) {
    const { end: change } = await readProgress(catalog, "search");
    const due = datetimeText(sources.now());
    const works = keys.map((key) => key.replace(/^\/books\//, "/works/"));
    await putJobs(
      search,
      works.map((key) => ({ kind: "document", key, position: 0, due, change })),
    );
  }
  // The message says only that there is something to do.
  await announceChange(stores.indexQueue, 0);
}

/** The sweep's turn at the index, of which the log keeps what it took in. */
export async function sweepIndex(jobs: Jobs): Promise<void> {
  const { isBehind, works } = await refreshIndex(jobs);
  logLine("info", "sweep", { works, isBehind });
}

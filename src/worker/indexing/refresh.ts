import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { type LogPart, readProgress } from "../../db/indexing/log.ts";
import { putJobs } from "../../db/indexing/jobs.ts";
import { readIndexState } from "../../db/indexing/index-state.ts";
import type { Stores } from "../http/bindings.ts";
import { logLine } from "../http/log.ts";
import type { CallBudget } from "../http/call-budget.ts";
import { type BudgetedJobs, type Jobs, announceChange, batchQueue } from "../http/queue.ts";
import { type Indexing, indexProgress, indexingsOf } from "./indexing.ts";
import { COMMAND_HOLD_MS, resumeRebuild } from "./rebuild.ts";
import { type Cursors, type Follower, type Run, indexNow } from "./run.ts";

/** Start of the latest run of the queue in this isolate, in milliseconds since the epoch. */
let lastRun = 0;

/** Waits until the next run is due, so that changes in quick succession share one. A single change does not wait. */
async function waitForRun({ settings, sources }: Pick<Jobs, "settings" | "sources">): Promise<void> {
  const interval = settings.INDEX_INTERVAL_MS;
  const due = lastRun + interval - sources.now();
  // A clock that was set back must not delay a run for longer.
  if (due > 0) await scheduler.wait(Math.min(due, interval));
  lastRun = sources.now();
}

/** Returns the queue that updates the projections. Messages only wake them: cursors decide. */
export function changeQueue(followers: readonly ((part: LogPart, jobs: BudgetedJobs) => Promise<Cursors>)[]) {
  return batchQueue({
    name: "carrel-index",
    event: "index",
    misfit: "not a change",
    message: z.unknown(),
    async work(_messages, jobs) {
      await waitForRun(jobs);
      await refreshIndex(jobs, async (part) => {
        const cursors: Cursors[] = [];
        for (const follow of followers) cursors.push(await follow(part, jobs));
        return cursors.flat();
      });
    },
  });
}

/**
 * Runs the projections `search` and `counts` of the engine in use, with `follow`, then those of shadow engines. Errors of
 * a shadow are logged and do not stop the others; the scheduled task retries.
 */
export async function refreshIndex(
  { stores, settings, sources, budget }: BudgetedJobs,
  follow?: Follower,
): Promise<Run> {
  const [answering, ...shadows] = indexingsOf(stores, settings, sources);
  const run = await refreshEngine(stores, answering, { budget, follow });
  for (const shadow of shadows) {
    try {
      await refreshEngine(stores, shadow, { budget });
    } catch (error) {
      const { engine } = shadow.search;
      logLine("error", "index", { problem: "the shadow is not followed", engine, error: String(error) });
    }
  }
  return run;
}

/**
 * Brings one index up to date, and continues its rebuild if no command does. Queues a message for another run if the
 * budget is over before. An index that is very far behind is left to the scheduled task, because a rebuild is shorter.
 */
async function refreshEngine(
  stores: Stores,
  indexing: Indexing,
  { budget, follow }: { budget: CallBudget; follow?: Follower | undefined },
): Promise<Run> {
  const run = await indexNow(indexing, { isOver: () => budget.isOver(), follow });
  const isRebuilt = run.state.phase !== null;
  const isUnfinished = isRebuilt && (await resumeRebuild(indexing, run.state));
  if (!run.isBehind && !isUnfinished) return run;
  const { change, records, rebuild } = await indexProgress(indexing);
  if (rebuild && !isRebuilt) logLine("error", "index", { problem: "far behind: npm run reindex", records });
  else await announceChange(stores.indexQueue, change);
  return run;
}

/** Reindexes works whose other data changed, but no record. An edition without a work is indexed as a work. */
export async function indexAnew({ stores, settings, sources }: Jobs, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  for (const { catalog, search } of indexingsOf(stores, settings, sources)) {
    const { end: change } = await readProgress(catalog, "search");
    const due = formatDatetime(sources.now());
    const works = keys.map((key) => key.replace(/^\/books\//, "/works/"));
    await putJobs(
      search,
      works.map((key) => ({ kind: "document", key, position: 0, due, change })),
    );
  }
  // The message only wakes the projections.
  await announceChange(stores.indexQueue, 0);
}

export async function sweepIndex(jobs: BudgetedJobs): Promise<void> {
  const { isBehind, works } = await refreshIndex(jobs);
  logLine("info", "sweep", { works, isBehind });
  const { stores, settings, sources } = jobs;
  const indexings = indexingsOf(stores, settings, sources);
  const states = await Promise.all(indexings.map(({ search }) => readIndexState(search)));
  // A command that was killed still holds its rebuild for some seconds.
  if (states.some(({ phase }) => phase !== null)) {
    await stores.indexQueue.send({ change: 0 }, { delaySeconds: COMMAND_HOLD_MS / 1000 });
  }
}

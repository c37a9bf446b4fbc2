import { checkNextCounts } from "./patrons/activity/counts.ts";
import { followTrends } from "./patrons/activity/trends.ts";
import { continueCoverRemovals } from "./covers/remove.ts";
import { continueCovers } from "./covers/queue-cover.ts";
import { sweepDumps } from "./dumps/sweep.ts";
import { type Sources, type Stores, storesOf, systemSources } from "./http/bindings.ts";
import { inLogScope, logLine, loggable } from "./http/log.ts";
import { countedScope, measuredBatch, writePoint } from "./http/metrics.ts";
import { settingsOf } from "./http/settings.ts";
import { resumeImports } from "./imports/resume.ts";
import { indexingOf } from "./indexing/indexing.ts";
import { planMaintenance } from "./indexing/maintenance.ts";
import { finishSwapped } from "./indexing/rebuild.ts";
import { backfillRows } from "./imports/backfill.ts";
import { continueMoves, followRedirects } from "./patrons/data/move-works.ts";
import { continueImports } from "./patrons/data/goodreads-import.ts";
import { continueRemovals } from "./patrons/data/removal-job.ts";
import { continueMerges } from "./editing/merge-sweep.ts";
import { workDumps } from "./dumps/jobs.ts";
import { fetchCovers } from "./covers/jobs.ts";
import { workImports } from "./imports/jobs.ts";
import { workPatronJobs } from "./patrons/jobs.ts";
import { refreshAnswers, refreshIndex } from "./indexing/refresh.ts";
import { followActivity } from "./patrons/activity/store-activity.ts";
import { storeLookups } from "./imports/lookups.ts";
import { deadQueue, keepDeadLetters, sweepLetters } from "./service/dead-letters.ts";
import { noteLevels } from "./service/levels.ts";

/**
 * The sweep: every projection catches up with the log, and every job is gone on with, whatever messages were lost. What
 * fails keeps nothing else from its turn; the run fails at the end.
 */
export async function scheduled(controller: ScheduledController, env: Env): Promise<void> {
  const [stores, settings] = [storesOf(env), settingsOf(env)];
  const jobs = { stores, settings, sources: systemSources };
  const indexing = indexingOf(stores, settings, systemSources);
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    answers: () => refreshAnswers(stores),
    swapped: () => finishSwapped(indexing),
    maintenance: () => planMaintenance(indexing),
    index: async () => {
      const { isBehind, works } = await refreshIndex(stores, settings);
      logLine("info", "sweep", { works, isBehind });
    },
    trends: () => followTrends(indexing),
    counts: () => checkNextCounts(stores.patrons),
    merges: () => continueMerges(jobs),
    redirects: () => followRedirects(jobs),
    moves: () => continueMoves(jobs),
    removals: () => continueRemovals(jobs),
    imports: () => continueImports(jobs),
    covers: () => continueCovers(jobs),
    dumps: () => sweepDumps(jobs),
    coverRemovals: () => continueCoverRemovals(jobs),
    importQueue: () => resumeImports(jobs),
    rows: () => backfillRows(jobs),
    deadLetters: () => sweepLetters(jobs),
    levels: () => noteLevels(jobs),
  };
  const failed = await inLogScope(countedScope(stores.metrics, { cron: controller.cron }), () =>
    runSteps(steps, jobs),
  );
  if (failed.length > 0) throw new Error(`the sweep failed: ${failed.join(", ")}`);
}

/** Takes one step after the other; returns the names of those that failed. */
async function runSteps(
  steps: Readonly<Record<string, () => Promise<unknown>>>,
  { stores: { metrics }, sources }: { readonly stores: Pick<Stores, "metrics">; readonly sources: Sources },
): Promise<string[]> {
  const failed: string[] = [];
  for (const [step, work] of Object.entries(steps)) {
    const started = sources.now();
    try {
      await work();
    } catch (error) {
      logLine("error", "sweep", { step, error: String(loggable(error)) });
      failed.push(step);
    }
    const outcome = failed.at(-1) === step ? "failed" : "done";
    writePoint(metrics, "sweep", [[step, outcome], [sources.now() - started]]);
  }
  return failed;
}

/** Hands a batch of a queue to its consumer, and counts it. */
export function consume(batch: MessageBatch, env: Env): Promise<void> {
  const jobs = { stores: storesOf(env), sources: systemSources };
  return measuredBatch(batch, jobs, () => handOver(batch, env));
}

/** A consumer that throws has the whole batch delivered again. */
async function handOver(batch: MessageBatch, env: Env): Promise<void> {
  const stores = storesOf(env);
  const dead = deadQueue(batch.queue);
  if (dead !== undefined) {
    const jobs = { stores, settings: settingsOf(env), sources: systemSources };
    return keepDeadLetters(dead, batch.messages, jobs);
  }
  switch (batch.queue) {
    case "carrel-index":
      await refreshAnswers(stores);
      await refreshIndex(stores, settingsOf(env));
      return followRedirects({ stores, settings: settingsOf(env), sources: systemSources });
    case "carrel-lookups":
      return storeLookups(batch.messages, { stores, settings: settingsOf(env), sources: systemSources });
    case "carrel-activity":
      return followActivity(batch.messages, stores);
    case "carrel-patron-jobs":
      return workPatronJobs(batch.messages, { stores, settings: settingsOf(env), sources: systemSources });
    case "carrel-imports":
      return workImports(batch.messages, { stores, settings: settingsOf(env), sources: systemSources });
    case "carrel-cover-jobs":
      return fetchCovers(batch.messages, { stores, settings: settingsOf(env), sources: systemSources });
    case "carrel-dumps":
      return workDumps(batch.messages, { stores, settings: settingsOf(env), sources: systemSources });
    default:
      // Delivered again and at last put with the dead letters, where it can be seen.
      throw new Error(`no consumer for the queue ${batch.queue}`);
  }
}

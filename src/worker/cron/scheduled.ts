import { checkNextCounts } from "../activity/check-counts.ts";
import { followTrends } from "../activity/follow-trends.ts";
import { type Sources, type Stores, settingsOf, storesOf, systemSources } from "../context.ts";
import { continueCoverRemovals } from "../covers/store/remove-cover.ts";
import { continueCovers } from "../covers/sweep-covers.ts";
import { sweepLetters } from "../dead-letters/sweep-letters.ts";
import { sweepDumps } from "../dumps/sweep-dumps.ts";
import { indexingOf } from "../indexing/indexing.ts";
import { planMaintenance } from "../indexing/maintenance.ts";
import { finishSwapped } from "../indexing/rebuild.ts";
import { backfillRows } from "../keeping/backfill-rows.ts";
import { followRedirects } from "../keeping/follow-redirects.ts";
import { continueImports } from "../keeping/import-job.ts";
import { continueMoves } from "../keeping/move-works.ts";
import { resumeImports } from "../imports/resume.ts";
import { continueRemovals } from "../keeping/removal-job.ts";
import { inLogScope, logLine, loggable } from "../log.ts";
import { noteLevels } from "../health/levels.ts";
import { countedScope } from "../metrics/job-scope.ts";
import { writePoint } from "../metrics/metrics.ts";
import { continueMerges } from "../merges/sweep.ts";
import { refreshAnswers } from "../queue/refresh-answers.ts";
import { refreshIndex } from "../queue/refresh-index.ts";

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

import { checkNextCounts } from "../activity/check-counts.ts";
import { followTrends } from "../activity/follow-trends.ts";
import { settingsOf, storesOf, systemSources } from "../context.ts";
import { continueCovers } from "../covers/sweep-covers.ts";
import { indexingOf } from "../indexing/indexing.ts";
import { planMaintenance } from "../indexing/maintenance.ts";
import { finishSwapped } from "../indexing/rebuild.ts";
import { backfillRows } from "../keeping/backfill-rows.ts";
import { followRedirects } from "../keeping/follow-redirects.ts";
import { continueImports } from "../keeping/import-job.ts";
import { continueMoves } from "../keeping/move-works.ts";
import { resumeImports } from "../imports/resume.ts";
import { continueRemovals } from "../keeping/removal-job.ts";
import { logLine, loggable } from "../log.ts";
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
      logLine("info", "sweep", { cron: controller.cron, works, isBehind });
    },
    trends: () => followTrends(indexing),
    counts: () => checkNextCounts(stores.patrons),
    merges: () => continueMerges(jobs),
    redirects: () => followRedirects(jobs),
    moves: () => continueMoves(jobs),
    removals: () => continueRemovals(jobs),
    imports: () => continueImports(jobs),
    covers: () => continueCovers(jobs),
    importQueue: () => resumeImports(jobs),
    rows: () => backfillRows(jobs),
  };
  const failed: string[] = [];
  for (const [step, work] of Object.entries(steps)) {
    try {
      await work();
    } catch (error) {
      logLine("error", "sweep", { step, error: String(loggable(error)) });
      failed.push(step);
    }
  }
  if (failed.length > 0) throw new Error(`the sweep failed: ${failed.join(", ")}`);
}

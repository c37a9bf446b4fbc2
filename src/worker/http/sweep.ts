import { inLogScope, logLine, loggable } from "./log.ts";
import { countedScope, writePoint } from "./metrics.ts";
import { type Jobs, jobsOf } from "./queue.ts";

export type SweepSteps = Readonly<Record<string, (jobs: Jobs) => Promise<unknown>>>;

/**
 * Creates the cron handler: runs its steps one after the other. A failed step does not stop the others; the run fails
 * at the end.
 */
export function sweepHandler(steps: SweepSteps) {
  return async ({ cron }: ScheduledController, env: Env): Promise<void> => {
    const jobs = jobsOf(env);
    const scope = countedScope(jobs.stores.metrics, { cron });
    const failed = await inLogScope(scope, () => takeSteps(steps, jobs));
    if (failed.length > 0) throw new Error(`the sweep failed: ${failed.join(", ")}`);
  };
}

/** Runs the steps and returns the names of those that failed. */
async function takeSteps(steps: SweepSteps, jobs: Jobs): Promise<string[]> {
  const { stores, sources } = jobs;
  const failed: string[] = [];
  for (const [step, work] of Object.entries(steps)) {
    const started = sources.now();
    let outcome: "done" | "failed" = "done";
    try {
      await work(jobs);
    } catch (error) {
      logLine("error", "sweep", { step, error: String(loggable(error)) });
      failed.push(step);
      outcome = "failed";
    }
    writePoint(stores.metrics, "sweep", [[step, outcome], [sources.now() - started]]);
  }
  return failed;
}

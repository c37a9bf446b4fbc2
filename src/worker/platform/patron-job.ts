import * as z from "zod";
import type { Stores } from "../http/bindings.ts";
import { logLine, loggable } from "../http/log.ts";
import type { CallBudget } from "../http/call-budget.ts";
import { type BudgetedJobs, sendOrLog } from "../http/queue.ts";

/**
 * Defines a kind of job of the queue `carrel-patron-jobs`, whose jobs take longer than a request: the shape of its
 * messages besides `kind`, and their work. Messages may be lost, doubled or repeated after a failure half-way, so the
 * work reads the remaining steps from storage.
 */
export function jobKind<Schema extends z.ZodObject>(
  kind: string,
  schema: Schema,
  work: (job: z.output<Schema>, jobs: BudgetedJobs) => Promise<void>,
) {
  const named = z.object({ kind: z.literal(kind) });
  return {
    kind,
    /** Schema of a message, which parses to the function that runs its job. */
    message: z.intersection(named, schema).transform((job) => (jobs: BudgetedJobs) => work(job, jobs)),
    /** Sends a job. A failure is only logged: the scheduled task finds unfinished jobs. */
    send: ({ patronJobs }: Pick<Stores, "patronJobs">, job: z.input<Schema>, delaySeconds = 0) =>
      sendOrLog("patron-job", { kind }, () => patronJobs.send({ kind, ...job }, { delaySeconds })),
  };
}

/**
 * Runs unfinished jobs one after the other until the budget of the scheduled task is over. A job that fails does not stop
 * the others: `work` first records the attempt, so that the job comes last the next time.
 */
export async function sweepJobs<Job>(
  { kind, found, budget }: { kind: string; found: readonly Job[]; budget: CallBudget },
  work: (job: Job) => Promise<void>,
): Promise<void> {
  for (const job of found) {
    try {
      await work(job);
    } catch (error) {
      logLine("error", "patron-job", { kind, error: String(loggable(error)) });
    }
    if (budget.isOver()) return;
  }
}

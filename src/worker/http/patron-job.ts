import * as z from "zod";
import type { Sources, Stores } from "./bindings.ts";
import { logLine, loggable } from "./log.ts";
import { type Jobs, JOB_BUDGET_MS, sendOrLog } from "./queue.ts";

/**
 * Kind of job of the queue `carrel-patron-jobs`: work longer than a request, such as imports and removals of accounts.
 */
interface JobKind<Job> {
  kind: string;
  message: z.ZodType<(jobs: Jobs) => Promise<void>>;
  /** Sends a job. A failure is only logged: the sweep finds unfinished jobs. */
  send(stores: Pick<Stores, "patronJobs">, job: Job, delaySeconds?: number): Promise<void>;
}

/**
 * Defines a kind of job by the shape of its messages besides `kind`, and their work. Messages may be lost, doubled or
 * repeated after a failure half-way, so the work reads the remaining steps from storage.
 */
export function jobKind<Schema extends z.ZodObject>(
  kind: string,
  schema: Schema,
  work: (job: z.output<Schema>, jobs: Jobs) => Promise<void>,
): JobKind<z.input<Schema>> {
  const named = z.object({ kind: z.literal(kind) });
  return {
    kind,
    message: z.intersection(named, schema).transform((job) => (jobs: Jobs) => work(job, jobs)),
    send: ({ patronJobs }, job, delaySeconds = 0) =>
      sendOrLog("patron-job", { kind }, () => patronJobs.send({ kind, ...job }, { delaySeconds })),
  };
}

/**
 * Runs unfinished jobs for the scheduled task, one after the other, until its time is over. A job that fails does not stop the
 * others: `work` first records the attempt, so that the job comes last the next time.
 */
export async function sweepJobs<Job>(
  { kind, found, sources }: { kind: string; found: readonly Job[]; sources: Sources },
  work: (job: Job) => Promise<void>,
): Promise<void> {
  const deadline = sources.now() + JOB_BUDGET_MS;
  for (const job of found) {
    try {
      await work(job);
    } catch (error) {
      logLine("error", "patron-job", { kind, error: String(loggable(error)) });
    }
    if (sources.now() >= deadline) return;
  }
}

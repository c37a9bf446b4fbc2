import * as z from "zod";
import type { Sources, Stores } from "./bindings.ts";
import { logLine, loggable } from "./log.ts";
import { type Jobs, JOB_BUDGET_MS, sendOrLog } from "./queue.ts";

/** A kind of job of the queue `carrel-patron-jobs`: what takes longer than a request, such as imports and removals of accounts. */
interface JobKind<Job> {
  readonly kind: string;
  /** What a message of the kind has done. */
  readonly message: z.ZodType<(jobs: Jobs) => Promise<void>>;
  /** Sends a job. A failure is logged only: the sweep finds what is left to do. */
  send(stores: Pick<Stores, "patronJobs">, job: Job, delaySeconds?: number): Promise<void>;
}

/**
 * A kind of job: the shape of its messages besides `kind`, and what is done about one. Messages may be lost, doubled or
 * repeated after a failure half-way, so the work reads what is left to do from what is stored.
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
 * What the sweep does about jobs that were left alone, one after the other, until its time is over. A job that fails keeps
 * none of the others from its turn: `work` first notes that somebody is at it, so that it comes last the next time.
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

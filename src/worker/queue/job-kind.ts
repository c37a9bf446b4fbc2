import type * as z from "zod";
import { logLine, loggable } from "../log.ts";
import type { Settings, Sources, Stores } from "../context.ts";

/** What jobs are done with. */
export interface Jobs {
  readonly stores: Stores;
  readonly settings: Settings;
  readonly sources: Sources;
}

/** How long one message works on its job, in milliseconds; another message goes on with what is left. */
export const JOB_BUDGET_MS = 15_000;

/** A kind of job, as the queue knows it. */
export interface JobKind {
  /** Works on the job of a message; false when it is no message of this kind. Throws what is to be tried again. */
  work(body: unknown, jobs: Jobs): Promise<boolean>;
}

/**
 * A kind of job: the shape of its messages besides `kind`, and what is done about one. Messages may be lost, doubled or
 * repeated after a failure half-way, so the work reads what is left to do from what is stored.
 */
export function jobKind<Schema extends z.ZodType>(
  schema: Schema,
  work: (message: z.output<Schema>, jobs: Jobs) => Promise<void>,
): JobKind {
  return {
    async work(body, jobs) {
      const parsed = schema.safeParse(body);
      if (parsed.success) await work(parsed.data, jobs);
      return parsed.success;
    },
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

import type * as z from "zod";
import type { Sources, Stores } from "./bindings.ts";
import { logLine, loggable } from "./log.ts";
import type { Settings } from "./settings.ts";

/** Message of the `index` queue: a change was stored. Messages may be lost or doubled: cursors decide. */
interface ChangeMessage {
  readonly change: number;
}

/** Tells the projections of a change. A failure is logged only: the sweep finds the change all the same. */
export async function announceChange(queue: Queue, change: number): Promise<void> {
  const message: ChangeMessage = { change };
  try {
    await queue.send(message);
  } catch (error) {
    logLine("error", "announce", { change, error: String(error) });
  }
}

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

/** The queues that this service reads, each with its dead letters in `<name>-dead`. */
export const QUEUE_NAMES = [
  "carrel-index",
  "carrel-lookups",
  "carrel-activity",
  "carrel-patron-jobs",
  "carrel-imports",
  "carrel-cover-jobs",
  "carrel-dumps",
] as const;
type QueueName = (typeof QUEUE_NAMES)[number];

const names: readonly string[] = QUEUE_NAMES;

/** True for the name of one of the queues. */
export function isQueueName(name: string): name is QueueName {
  return names.includes(name);
}

/** The queues by name. */
export function queuesOf(stores: Stores): Readonly<Record<QueueName, Queue>> {
  return {
    "carrel-index": stores.indexQueue,
    "carrel-lookups": stores.lookupQueue,
    "carrel-activity": stores.activityQueue,
    "carrel-patron-jobs": stores.patronJobs,
    "carrel-imports": stores.importQueue,
    "carrel-cover-jobs": stores.coverJobs,
    "carrel-dumps": stores.dumpJobs,
  };
}

/** A message of the queue `carrel-patron-jobs`: its kind, and what that kind wants to know. */
type PatronJob = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** Sends a job. A failure is logged only: the sweep finds what is left to do. */
export async function sendPatronJob(queue: Queue, job: PatronJob, delaySeconds = 0): Promise<void> {
  try {
    await queue.send(job, { delaySeconds });
  } catch (error) {
    logLine("error", "patron-job", { kind: job.kind, error: String(error) });
  }
}

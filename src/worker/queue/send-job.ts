import { logLine } from "../log.ts";

/** A message of the queue `carrel-patron-jobs`: its kind, and what that kind wants to know. */
export type PatronJob = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** Sends a job. A failure is logged only: the sweep finds what is left to do. */
export async function sendPatronJob(queue: Queue, job: PatronJob, delaySeconds = 0): Promise<void> {
  try {
    await queue.send(job, { delaySeconds });
  } catch (error) {
    logLine("error", "patron-job", { kind: job.kind, error: String(error) });
  }
}

import * as z from "zod";
import { REMOVAL_KIND, removalJob } from "./data/removal-job.ts";
import { logLine, loggable } from "../http/log.ts";
import type { JobKind, Jobs } from "../http/queue.ts";
import { LENDING_MAIL, QUEUE_MAIL, lendingMail, queueMail } from "../lending/mail.ts";
import { FOLLOW_PRIVACY, followPrivacy } from "../accounts/follow-privacy.ts";
import { IMPORT_KIND, importJob } from "./data/goodreads-import.ts";
import { MOVE_KIND, moveWorkJob } from "./data/move-works.ts";

/** Who works on the messages of each kind. */
const KINDS: Readonly<Record<string, JobKind>> = {
  [FOLLOW_PRIVACY]: followPrivacy,
  [IMPORT_KIND]: importJob,
  [LENDING_MAIL]: lendingMail,
  [MOVE_KIND]: moveWorkJob,
  [QUEUE_MAIL]: queueMail,
  [REMOVAL_KIND]: removalJob,
};

const envelope = z.looseObject({ kind: z.string() });

/**
 * Works on jobs that take longer than a request: imports, removals of accounts, works that were merged. A job that fails
 * is delivered again by itself, and holds up no other; what is no job is logged and dropped.
 */
export async function workPatronJobs(messages: readonly Message[], jobs: Jobs): Promise<void> {
  for (const message of messages) {
    try {
      await workOne(message, jobs);
      message.ack();
    } catch (error) {
      logLine("error", "patron-job", { message: message.id, error: String(loggable(error)) });
      message.retry();
    }
  }
}

async function workOne(message: Message, jobs: Jobs): Promise<void> {
  const parsed = envelope.safeParse(message.body);
  const kind = parsed.success ? KINDS[parsed.data.kind] : undefined;
  const isKnown = kind !== undefined && (await kind.work(message.body, jobs));
  if (!isKnown) logLine("error", "patron-job", { message: message.id, problem: "not a job" });
}

import { datetimeText } from "../../catalog/datetime.ts";
import { failBatch } from "../../db/imports/batches.ts";
import { claimItems, failWaiting } from "../../db/imports/claims.ts";
import { readServiceState } from "../../db/service/state.ts";
import { jobLoadContext } from "../import/load-record.ts";
import { importClaimed } from "../imports/import-claimed.ts";
import { itemsMessage, splitMessage } from "../imports/messages.ts";
import { queueItems } from "../imports/queue-items.ts";
import { INTERNAL_ERROR } from "../imports/resume.ts";
import { splitBatch } from "../imports/split-batch.ts";
import { takeTurns } from "../imports/take-turns.ts";
import { logLine, loggable } from "../http/log.ts";
import { READ_ONLY_RETRY_SECONDS } from "../http/read-only.ts";
import type { Jobs } from "../http/queue.ts";

/** Seconds until a message that failed comes again; each further time twice as long. */
export const MESSAGE_WAIT_SECONDS = 30;

/**
 * Works on messages of the queue of imports: files to be split, items to be imported. Messages may be doubled, lost or out of
 * order: rows say what is left to do. One that fails is delivered again by itself, later and later, and holds up no other.
 */
export async function workImports(messages: readonly Message[], jobs: Jobs): Promise<void> {
  for (const message of messages) {
    await takeTurns();
    try {
      await workOne(message, jobs);
      message.ack();
    } catch (error) {
      logLine("error", "imports", { message: message.id, error: String(loggable(error)) });
      message.retry({ delaySeconds: MESSAGE_WAIT_SECONDS * 2 ** (message.attempts - 1) });
    }
  }
}

async function workOne({ id, body }: Message, jobs: Jobs): Promise<void> {
  const split = splitMessage.safeParse(body);
  if (split.success) return splitBatch(split.data.split, jobs);
  const items = itemsMessage.safeParse(body);
  if (items.success) return importItems(items.data.items, jobs);
  logLine("error", "imports", { message: id, problem: "not a message of this queue" });
}

/** Imports those items that are still to be imported, side by side. */
async function importItems(ids: readonly number[], jobs: Jobs): Promise<void> {
  const { stores, sources } = jobs;
  const state = await readServiceState(stores.catalog, "read_only");
  // Nothing is tried in vain: it would count as a failure of the service.
  if (state?.value === "on") return queueItems(stores.importQueue, ids, READ_ONLY_RETRY_SECONDS);
  const claim = sources.newSecret();
  const claimed = await claimItems(stores.catalog, ids, { claim, now: datetimeText(sources.now()) });
  if (claimed.length === 0) return;
  const context = jobLoadContext(jobs);
  await Promise.all(claimed.map((item) => importClaimed(item, claim, context)));
  await context.settled();
}

/** Ends the items of messages that could not be delivered, and the splitting of their files, with the reason. */
export async function buryImports(messages: readonly Message[], { stores, sources }: Jobs): Promise<void> {
  const { catalog } = stores;
  for (const { id, body } of messages) {
    const now = datetimeText(sources.now());
    logLine("error", "imports", { message: id, problem: "undeliverable" });
    const split = splitMessage.safeParse(body);
    if (split.success) {
      const problem = "Its messages could not be delivered: the log of the service says why.";
      await failBatch(catalog, { id: split.data.split, problem, now });
    }
    const items = itemsMessage.safeParse(body);
    if (!items.success) continue;
    const reason = "The message about it could not be delivered: the log of the service says why.";
    await failWaiting(catalog, items.data.items, { error: INTERNAL_ERROR, reason, now });
  }
}

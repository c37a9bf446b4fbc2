import type { Sources, Stores } from "../context.ts";
import { type LogScope, inLogScope } from "../log.ts";
import { writePoint } from "./metrics.ts";

/** The scope of a request or job in the log: every line of level `error` is counted. */
export function countedScope(metrics: Stores["metrics"], fields: Readonly<Record<string, string>>): LogScope {
  return { fields, failed: (event) => writePoint(metrics, "failure", [[event], [1]]) };
}

/** Runs the consumer of a queue for a batch, and counts what became of it. */
export async function measuredBatch(
  batch: MessageBatch,
  { stores: { metrics }, sources }: { readonly stores: Pick<Stores, "metrics">; readonly sources: Sources },
  consume: () => Promise<void>,
): Promise<void> {
  const started = sources.now();
  const [first] = batch.messages;
  const fields = { queue: batch.queue, ...(first === undefined ? {} : { batch: first.id }) };
  let outcome: "done" | "failed" = "failed";
  try {
    await inLogScope(countedScope(metrics, fields), consume);
    outcome = "done";
  } finally {
    // Tests and older runtimes deliver batches without numbers.
    const waiting = (batch.metadata as MessageBatchMetadata | undefined)?.metrics.backlogCount ?? 0;
    const numbers: [number, number, number] = [sources.now() - started, batch.messages.length, waiting];
    writePoint(metrics, "queue", [[batch.queue, outcome], numbers]);
  }
}

import type { Sources, Stores } from "./bindings.ts";
import { inLogScope } from "./log.ts";

export const METRIC_TEXT_LENGTH = 64;

/**
 * Data points, each described in a line of docs/operations.md. Analytics Engine knows members by their position only:
 * the kind is `index1` and `blob1`, the other texts follow as `blob2` …, the numbers as `double1` ….
 */
interface DataPoints {
  /** An answer: operation, method, status, source; milliseconds. */
  readonly request: readonly [[string, string, string, AnswerSource], [number]];
  /** A batch of messages: queue, outcome; milliseconds, messages, messages that wait behind it. */
  readonly queue: readonly [[string, "done" | "failed"], [number, number, number]];
  /** A step of the sweep: step, outcome; milliseconds. */
  readonly sweep: readonly [[string, "done" | "failed"], [number]];
  /** A line of the log of level `error`: its event; 1. */
  readonly failure: readonly [[string], [number]];
  readonly level: readonly [[string], [number]];
}

/** Writes a data point if the account has Analytics Engine. Does not wait for it. */
export function writePoint<Kind extends keyof DataPoints>(
  metrics: Stores["metrics"],
  kind: Kind,
  [texts, numbers]: DataPoints[Kind],
): void {
  metrics?.writeDataPoint({
    indexes: [kind],
    blobs: [kind, ...texts.map((text) => text.slice(0, METRIC_TEXT_LENGTH))],
    doubles: [...numbers],
  });
}

/** Source of an answer. `made`: cacheable, but computed; `none`: the route's answers are not cached. */
type AnswerSource = "isolate" | "edge" | "made" | "none";

export interface RequestTrace {
  /** Id of the operation that answers; empty if no route matched, and for answers from the in-memory cache. */
  operation: string;
  source: AnswerSource;
  /** Key of the patron whose token is used for the first time in a month. */
  longUnused?: string;
}

export function newTrace(): RequestTrace {
  return { operation: "", source: "none" };
}

/** Answers of this isolate since it started, by the first digit of their status and by source. */
const byStatus = new Map<number, number>();
const bySource = new Map<AnswerSource, number>();

export function countAnswer(status: number, source: AnswerSource): void {
  const kind = Math.floor(status / 100);
  byStatus.set(kind, (byStatus.get(kind) ?? 0) + 1);
  bySource.set(source, (bySource.get(source) ?? 0) + 1);
}

export function readAnswerCounts() {
  return {
    by_status: Object.fromEntries([...byStatus].map(([kind, count]) => [`${kind}xx`, count])),
    by_source: Object.fromEntries(bySource),
  };
}

/** Creates the log scope of a request or job, which counts every line of level `error`. */
export function createLogScope(metrics: Stores["metrics"], fields: Readonly<Record<string, string>>) {
  return { fields, failed: (event: string) => writePoint(metrics, "failure", [[event], [1]]) };
}

export async function measureBatch(
  batch: MessageBatch,
  { stores: { metrics }, sources }: { stores: Pick<Stores, "metrics">; sources: Sources },
  consume: () => Promise<void>,
): Promise<void> {
  const started = sources.now();
  const [first] = batch.messages;
  const fields = { queue: batch.queue, ...(first === undefined ? {} : { batch: first.id }) };
  let outcome: "done" | "failed" = "failed";
  try {
    await inLogScope(createLogScope(metrics, fields), consume);
    outcome = "done";
  } finally {
    // Tests and older runtimes deliver batches without numbers.
    const waiting = (batch.metadata as MessageBatchMetadata | undefined)?.metrics.backlogCount ?? 0;
    const numbers: [number, number, number] = [sources.now() - started, batch.messages.length, waiting];
    writePoint(metrics, "queue", [[batch.queue, outcome], numbers]);
  }
}

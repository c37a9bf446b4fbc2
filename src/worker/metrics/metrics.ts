import type { Stores } from "../context.ts";
import type { AnswerSource } from "./trace.ts";

/** Longest text of a data point, in UTF-16 units: a method, for instance, is whatever the client says. */
export const METRIC_TEXT_LENGTH = 64;

type Metrics = Stores["metrics"];

/**
 * The data points, one line of docs/operations.md each. Analytics Engine knows members by their place only: the kind is
 * `index1` and `blob1`, the other texts follow as `blob2` …, the numbers as `double1` ….
 */
export interface DataPoints {
  /** An answer: operation, method, status, source; milliseconds. */
  readonly request: readonly [[string, string, string, AnswerSource], [number]];
  /** A batch of messages: queue, what became of it; milliseconds, messages, messages that wait behind it. */
  readonly queue: readonly [[string, "done" | "failed"], [number, number, number]];
  /** A step of the sweep: step, what became of it; milliseconds. */
  readonly sweep: readonly [[string, "done" | "failed"], [number]];
  /** A line of the log of level `error`: its event; 1. */
  readonly failure: readonly [[string], [number]];
  /** How much there is of something at the moment: its name; the number. */
  readonly level: readonly [[string], [number]];
}

/** Writes a data point, where the account has Analytics Engine. Nothing is waited for. */
export function writePoint<Kind extends keyof DataPoints>(
  metrics: Metrics,
  kind: Kind,
  [texts, numbers]: DataPoints[Kind],
): void {
  metrics?.writeDataPoint({
    indexes: [kind],
    blobs: [kind, ...texts.map((text) => text.slice(0, METRIC_TEXT_LENGTH))],
    doubles: [...numbers],
  });
}

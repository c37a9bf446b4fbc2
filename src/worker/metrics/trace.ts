/**
 * Where an answer came from: `isolate`, `edge`: out of a cache; `made`: it may be kept, and was made; `none`: of a route
 * whose answers are not kept.
 */
export type AnswerSource = "isolate" | "edge" | "made" | "none";

/** What is noted of a request on its way, for the log and the metrics. */
export interface RequestTrace {
  /** Id of the operation that answers; empty for what no route took, and for answers out of the isolate's cache. */
  operation: string;
  source: AnswerSource;
}

/** The trace of a request that has just come. */
export function newTrace(): RequestTrace {
  return { operation: "", source: "none" };
}

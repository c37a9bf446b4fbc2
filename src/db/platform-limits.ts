import { MIB } from "../catalog/units.ts";
/**
 * Limits of the platform, as its public documents stated them in November 2026. `edge-limits.ts` enforces them; of keys and
 * values of KV, messages, bound values, and bytes of a call of an object the local runtime does.
 */
export const PLATFORM = {
  /**
   * Calls of one invocation to databases, KV, R2, queues, objects, caches and other services. Paid plans have 10,000 by
   * default (https://developers.cloudflare.com/workers/platform/limits/), but the page of KV still says 1,000 for other
   * services (https://developers.cloudflare.com/kv/platform/limits/). The free plan has 50.
   */
  SUBREQUESTS_MAX: 1000,
  /**
   * Statements of one invocation, those of batches too; the free plan has 50. This and the next four are from
   * https://developers.cloudflare.com/d1/platform/limits/. Storage of objects has the same, except for results.
   */
  D1_QUERIES_MAX: 1000,
  /** Bytes of a text, a blob or a row. */
  D1_VALUE_BYTES: 2_000_000,
  D1_STATEMENT_BYTES: 100_000,
  D1_BOUND_VALUES_MAX: 100,
  /**
   * Bytes of the rows that a call returns: 50 MB a query, and nothing is said of batches. The limit of remote calls
   * (https://developers.cloudflare.com/workers/runtime-apis/rpc/) is smaller, and taken for both.
   */
  D1_RESULT_BYTES: 32 * MIB,
  /**
   * Writes of a key of KV in so many milliseconds (https://developers.cloudflare.com/kv/platform/limits/), and concurrent
   * ones of a key of R2 (https://developers.cloudflare.com/r2/platform/limits/).
   */
  KEY_WRITES_MAX: 1,
  KEY_WRITE_MS: 1000,
  /** Messages of a `sendBatch`, and bytes of one: https://developers.cloudflare.com/queues/platform/limits/. */
  SEND_BATCH_MAX: 100,
  MESSAGE_BYTES: 128_000,
} as const;

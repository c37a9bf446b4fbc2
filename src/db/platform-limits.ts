/**
 * Limits of the platform, as its public documents stated them in November 2026. The local runtime enforces a statement's
 * length and bound values, keys and values of KV, messages, and the bytes of a call of an object; `edge-limits.ts`
 * enforces the others.
 */

/**
 * Calls of one invocation to databases, KV, R2, queues, objects, caches and other services. Paid plans have 10,000 by
 * default (https://developers.cloudflare.com/workers/platform/limits/), but the page of KV still says 1,000 for other
 * services (https://developers.cloudflare.com/kv/platform/limits/): the smaller number holds here. The free plan has 50.
 */
export const SUBREQUESTS_MAX = 1000;

/**
 * Statements of one invocation; each of a batch counts. The free plan has 50. Like those that follow it is from
 * https://developers.cloudflare.com/d1/platform/limits/.
 */
export const D1_QUERIES_MAX = 1000;
/** Bytes of a text, a blob or a row. */
export const D1_VALUE_BYTES = 2_000_000;
export const D1_STATEMENT_BYTES = 100_000;
export const D1_BOUND_VALUES_MAX = 100;
/**
 * Bytes of the rows that one call returns. The documents name 50 MB for a query and nothing for a batch: the limit of
 * remote calls (https://developers.cloudflare.com/workers/runtime-apis/rpc/) is smaller, and holds for both here.
 */
export const D1_RESULT_BYTES = 32 * 1024 * 1024;

/**
 * Shortest time between two writes of a key in milliseconds: https://developers.cloudflare.com/kv/platform/limits/ and
 * https://developers.cloudflare.com/r2/platform/limits/. A second write fails.
 */
export const KEY_WRITE_MS = 1000;

/** Messages of a `sendBatch`, and bytes of one: https://developers.cloudflare.com/queues/platform/limits/. */
export const SEND_BATCH_MAX = 100;
export const MESSAGE_BYTES = 128_000;

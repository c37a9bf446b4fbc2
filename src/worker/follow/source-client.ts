import { MIB, DAY_MS } from "../../catalog/units.ts";
import { tryParseJson } from "../../catalog/record.ts";
import type { Position } from "../../import/follow/position.ts";
import { OutboundFailure, getBytes } from "../platform/outbound.ts";

/** Timeout of a request in milliseconds, and maximum size of its response in bytes: a change with 8 MiB of documents. */
const FOLLOW_TIMEOUT_MS = 30_000;
const FOLLOW_RESPONSE_BYTES = 12 * MIB;
/** First back-off after a failure in milliseconds. Doubles with each further failure up to `BACKOFF_MS_MAX`. */
const FIRST_BACKOFF_MS = 5000;
const BACKOFF_MS_MAX = 300_000;
/** Statuses of a service that is up and fails for this request only. */
const REQUEST_ERRORS: ReadonlySet<number> = new Set([200, 400, 405, 414, 422, 500]);
/** Maximum `Retry-After` that is respected, in milliseconds. */
const RETRY_AFTER_MS_MAX = DAY_MS;

export interface CrawlPolicy {
  readonly rate: number;
  /** Email or web address for the `User-Agent` header. */
  readonly contact: string;
}

export class UpstreamError extends Error {
  /** Requested delay in milliseconds; 0 if the service requests none. */
  readonly retryAfterMs: number;
  readonly isRequestSpecific: boolean;

  constructor(message: string, { status = 0, retryAfterMs = 0 } = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.isRequestSpecific = REQUEST_ERRORS.has(status);
  }
}

/** Fetches JSON; undefined for a 404 or 410. Throws UpstreamError if the request should be retried later. */
export async function fetchJson(address: string, { contact }: CrawlPolicy, now: number) {
  const url = new URL(address);
  const place = url.origin + url.pathname;
  const name = `Carrel/1.0 (follow${contact === "" ? "" : `; ${contact}`})`;
  const headers = { Accept: "application/json", "User-Agent": name };
  const options = {
    hosts: [url.host],
    timeoutMs: FOLLOW_TIMEOUT_MS,
    maxBytes: FOLLOW_RESPONSE_BYTES,
    headers,
  };
  const response = await getBytes(url, options).catch((error: unknown) => {
    throw error instanceof OutboundFailure ? new UpstreamError(`${place}: ${error.message}`, error) : error;
  });
  const { status, bytes, retryAfter } = response;
  if (status === 404 || status === 410) return { status, json: undefined };
  if (status !== 200) {
    throw new UpstreamError(`${place} answered ${status}`, {
      status,
      retryAfterMs: parseRetryAfter(retryAfter, now),
    });
  }
  const json = tryParseJson(new TextDecoder().decode(bytes));
  if (json === undefined) throw new UpstreamError(`${place} answered no JSON`, { status });
  return { status, json };
}

/** Parses a `Retry-After` header, seconds or a date (RFC 9110, 10.2.3), to milliseconds. */
function parseRetryAfter(header: string | null, now: number): number {
  if (header === null) return 0;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), RETRY_AFTER_MS_MAX);
}

export function afterFailure(position: Position, error: UpstreamError, now: number): Position {
  const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** position.failures, BACKOFF_MS_MAX);
  const wait = Math.max(error.retryAfterMs, backoff);
  return {
    ...position,
    failures: Math.min(position.failures + 1, 30),
    after: Math.ceil(now + wait),
    problem: error.message,
  };
}

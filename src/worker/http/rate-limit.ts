import { createMiddleware } from "hono/factory";
import { clientGroup } from "./client-address.ts";
import { tooManyRequests } from "./errors.ts";
import { type RequestContext, baseUrl } from "./operation.ts";
import type { Carried } from "./serve.ts";

/** Clients remembered at a time; the ones not seen for longest are forgotten first. */
const REMEMBERED_CLIENTS = 20_000;
const MINUTE = 60_000;

interface Bucket {
  tokens: number;
  filled: number;
}

/**
 * A token bucket per client address (of IPv6: network) and isolate: `RATE_LIMIT_PER_MINUTE` requests, refilled evenly; 0 turns
 * it off. It keeps one client from crowding out the others and is not exact over many isolates; budgets that
 * must be exact are kept by the Throttle object (Q41).
 */
export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();

  /** Takes a token and tells the client so in headers. Returns after how many seconds there is one; 0 when one was taken. */
  take({ settings, client: address, now, headers }: RequestContext): number {
    const limit = settings.RATE_LIMIT_PER_MINUTE;
    if (limit === 0) return 0;
    const client = clientGroup(address);
    const bucket = fill(this.buckets, { client, limit, now });
    headers["RateLimit-Policy"] = `"default";q=${limit};w=60`;
    if (bucket.tokens < 1) {
      const seconds = Math.ceil(((1 - bucket.tokens) / limit) * 60);
      headers["RateLimit"] = `"default";r=0;t=${seconds}`;
      return seconds;
    }
    bucket.tokens -= 1;
    headers["RateLimit"] = `"default";r=${Math.floor(bucket.tokens)};t=${Math.ceil(60 / limit)}`;
    return 0;
  }
}

/** Refuses whoever asks too much. */
export function rateLimit(limit: RateLimit) {
  return createMiddleware<Carried>((c, next) => {
    const seconds = limit.take(c.env.carrel);
    if (seconds === 0) return next();
    const dumps = `${baseUrl(c.env.carrel)}/data`;
    throw tooManyRequests(
      seconds,
      `Too many requests. For many records at once, load a dump instead: ${dumps}`,
    );
  });
}

function fill(
  buckets: Map<string, Bucket>,
  { client, limit, now }: { client: string; limit: number; now: number },
): Bucket {
  const bucket = buckets.get(client) ?? { tokens: limit, filled: now };
  bucket.tokens = Math.min(limit, bucket.tokens + (Math.max(0, now - bucket.filled) / MINUTE) * limit);
  bucket.filled = now;
  buckets.delete(client);
  buckets.set(client, bucket);
  if (buckets.size > REMEMBERED_CLIENTS) forgetOldest(buckets);
  return bucket;
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const [oldest] = buckets.keys();
  if (oldest !== undefined) buckets.delete(oldest);
}

import { createMiddleware } from "hono/factory";
import { clientGroup } from "./client-address.ts";
import { tooManyRequests } from "./errors.ts";
import { type RequestContext, type HonoEnv, baseUrl } from "./operation.ts";

const REMEMBERED_CLIENTS = 20_000;
const MINUTE = 60_000;

type Bucket = { tokens: number; filled: number };

/**
 * Token bucket per client address (for IPv6: network) and isolate: `RATE_LIMIT_PER_MINUTE` requests, refilled evenly; 0
 * turns it off. It keeps one client from crowding out the others and is not exact over many isolates; exact budgets are
 * kept by the Throttle object (Q41).
 */
export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();

  /** Takes tokens and reports them in headers. Returns 0, or takes none and returns the seconds to wait. */
  take({ settings, client: address, now, headers }: RequestContext, tokens = 1): number {
    const limit = settings.RATE_LIMIT_PER_MINUTE;
    if (limit === 0) return 0;
    const client = clientGroup(address);
    const bucket = refill(this.buckets, { client, limit, now });
    headers["RateLimit-Policy"] = `"default";q=${limit};w=60`;
    if (bucket.tokens < tokens) {
      const seconds = Math.ceil(((tokens - bucket.tokens) / limit) * 60);
      headers["RateLimit"] = `"default";r=0;t=${seconds}`;
      return seconds;
    }
    bucket.tokens -= tokens;
    headers["RateLimit"] = `"default";r=${Math.floor(bucket.tokens)};t=${Math.ceil(60 / limit)}`;
    return 0;
  }
}

const limits = new WeakMap<RequestContext, RateLimit>();

/** Takes a token for each request. Throws 429. */
export function rateLimit(limit: RateLimit) {
  return createMiddleware<HonoEnv>((c, next) => {
    const context = c.env.carrel;
    takeTokens(limit, context, 1);
    limits.set(context, limit);
    return next();
  });
}

/** Takes a token for each query of a request but the first, a full bucket at most. Throws 429. */
export function countQueries(context: RequestContext, questions: number): void {
  const limit = limits.get(context);
  const tokens = Math.min(questions, context.settings.RATE_LIMIT_PER_MINUTE) - 1;
  if (limit !== undefined && tokens > 0) takeTokens(limit, context, tokens);
}

function takeTokens(limit: RateLimit, context: RequestContext, tokens: number): void {
  const seconds = limit.take(context, tokens);
  if (seconds === 0) return;
  const dumps = `${baseUrl(context)}/data`;
  throw tooManyRequests(seconds, `Too many requests. For bulk access, download a data dump: ${dumps}`);
}

function refill(
  buckets: Map<string, Bucket>,
  { client, limit, now }: { client: string; limit: number; now: number },
): Bucket {
  const bucket = buckets.get(client) ?? { tokens: limit, filled: now };
  bucket.tokens = Math.min(limit, bucket.tokens + (Math.max(0, now - bucket.filled) / MINUTE) * limit);
  bucket.filled = now;
  buckets.delete(client);
  buckets.set(client, bucket);
  const [oldest] = buckets.keys();
  if (buckets.size > REMEMBERED_CLIENTS && oldest !== undefined) buckets.delete(oldest);
  return bucket;
}

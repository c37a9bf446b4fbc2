import { KIB } from "../../catalog/units.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import { createMiddleware } from "hono/factory";
import { type Result, inTurns } from "../../db/statement.ts";
import { clientGroup } from "./client-address.ts";
import { type RequestContext, type HonoEnv, baseUrl } from "./operation.ts";
import { Room } from "./room.ts";
import { failure } from "./failure.ts";

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
  take(
    { settings, client: address, now, headers }: RequestContext,
    tokens = 1,
    client = clientGroup(address),
  ): number {
    const limit = settings.RATE_LIMIT_PER_MINUTE;
    if (limit === 0) return 0;
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

  /** Takes tokens for work that was done: those of the next minute if there are none left. */
  charge({ settings, client: address, now }: RequestContext, tokens: number): void {
    const limit = settings.RATE_LIMIT_PER_MINUTE;
    const bucket = refill(this.buckets, { client: clientGroup(address), limit, now });
    bucket.tokens = Math.max(-limit, bucket.tokens - tokens);
  }
}

const limits = new WeakMap<RequestContext, RateLimit>();

/** Takes a token for each request. Throws 429. */
export function rateLimit(limit: RateLimit) {
  return createMiddleware<HonoEnv>((c, next) => {
    const context = c.env.carrel;
    takeTokens(limit, context, 1);
    limits.set(context, limit);
    return inTurns(turnsOf(context, limit), next);
  });
}

/** Returns a function that runs another one for a stream, whose calls of databases leave turns to other requests. */
export function inStreamTurns<Value>(context: RequestContext, run: () => Value): () => Value {
  const limit = limits.get(context);
  // Parts that are made later belong to the same request.
  if (limit === undefined) return AsyncLocalStorage.bind(run);
  const turns = turnsOf(context, limit, [streamCalls, calls]);
  return AsyncLocalStorage.bind(() => inTurns(turns, run));
}

/** Returns the network that shares of an isolate count for; undefined for services, which have none. */
export function networkOf(context: RequestContext): string | undefined {
  return limits.has(context) ? clientGroup(context.client) : undefined;
}

/** Calls of the databases that run for one network at a time. The databases answer one after the other anyway. */
export const NETWORK_CALLS_MAX = 8;
/** Calls of streams among these: each reads many documents, and can wait. */
const STREAM_CALLS_MAX = 2;
/** D1 ends a batch of statements after 30 s. */
const CALL_MS = 30_000;

function turnsFor(share: number): Room {
  const refusal = "unavailable.network";
  return new Room({ size: Number.POSITIVE_INFINITY, share, heldMs: CALL_MS, refusal });
}

const calls = turnsFor(NETWORK_CALLS_MAX);
const streamCalls = turnsFor(STREAM_CALLS_MAX);

/** Bytes and rows that a token pays for. A request has read as much before it pays further ones. */
const TOKEN_BYTES = 64 * KIB;
const TOKEN_ROWS = 10_000;

const costs = new WeakMap<RequestContext, number>();

/** Returns what a request has read so far as bytes of documents; 0 for services, which have no limit. */
export function bytesReadBy(context: RequestContext): number {
  return (costs.get(context) ?? 0) * TOKEN_BYTES;
}

/** Returns a function that runs calls of databases when it is their network's turn, and charges what they read. */
function turnsOf(context: RequestContext, limit: RateLimit, rooms: readonly Room[] = [calls]) {
  const owner = clientGroup(context.client);
  const now = () => context.sources.now();
  let [read, charged] = [0, 0];
  return async <Row>(call: () => Promise<Result<Row>[]>): Promise<Result<Row>[]> => {
    const called = callInRooms(call, rooms, { owner, now });
    // Otherwise the call would keep its turn if the client disconnects. Its rows are not kept until the request ends.
    context.waitUntil(called.then(dropRows, dropRows));
    const results = await called;
    for (const result of results) read += costOf(result);
    costs.set(context, read);
    if (Math.floor(read) > charged) limit.charge(context, Math.floor(read) - charged);
    charged = Math.floor(read);
    return results;
  };
}

function dropRows(): void {}

async function callInRooms<Value>(
  call: () => Promise<Value>,
  rooms: readonly Room[],
  { owner, now }: { owner: string; now: () => number },
): Promise<Value> {
  const turn = {};
  try {
    for (const room of rooms) await room.take(turn, { amount: 1, owner }, now);
    return await call();
  } finally {
    for (const room of rooms) room.leave(turn, now());
  }
}

function costOf({ results, meta }: Result): number {
  let bytes = 0;
  for (const row of results as object[]) {
    for (const value of Object.values(row)) if (typeof value === "string") bytes += value.length;
  }
  return bytes / TOKEN_BYTES + (meta.rows_read ?? results.length) / TOKEN_ROWS;
}

/** Takes a token for each query of a request but the first, a full bucket at most. Throws 429. */
export function countQueries(context: RequestContext, questions: number): void {
  const limit = limits.get(context);
  const tokens = Math.min(questions, context.settings.RATE_LIMIT_PER_MINUTE) - 1;
  if (limit !== undefined && tokens > 0) takeTokens(limit, context, tokens);
}

/** Takes a token of the bucket of a program, whose requests may come from many networks. Throws 429. */
export function countProgram(context: RequestContext, program: string): void {
  const limit = limits.get(context);
  if (limit !== undefined) takeTokens(limit, context, 1, program);
}

function takeTokens(limit: RateLimit, context: RequestContext, tokens: number, name?: string): void {
  const seconds = limit.take(context, tokens, name);
  if (seconds === 0) return;
  const dumps = `${baseUrl(context)}/data`;
  throw failure("too_many_requests.rate", { dumps }, { retryAfter: seconds });
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

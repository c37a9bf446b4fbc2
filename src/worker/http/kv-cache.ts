import type { Sources } from "./bindings.ts";
import { logLine, loggable } from "./log.ts";

export interface AnswerCache {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
  delete?(key: string): Promise<void>;
}

/** Reads a cache entry; null if there is none or the cache fails. */
export async function readCachedAnswer(cache: AnswerCache, key: string): Promise<string | null> {
  try {
    return await cache.get(key);
  } catch (error) {
    return logCacheFailure(error);
  }
}

/** Time between two writes of a key by an isolate, in milliseconds. KV rejects a second one within a second. */
const KEY_WRITE_MS = 60_000;
const WRITTEN_KEYS_MAX = 10_000;

/** Times of the latest writes by key. An isolate has one clock, which identifies it; without one, the cache does. */
const writtenKeys = new WeakMap<object, Map<string, number>>();

/**
 * Stores an answer in KV for some seconds, or deletes it (null). Never fails: failures are logged. A key that this isolate
 * wrote less than a minute ago stays as it is, so entries must expire by themselves.
 */
export async function writeCache(
  cache: AnswerCache,
  key: string,
  { entry, sources }: { entry: { text: string; seconds: number } | null; sources?: Pick<Sources, "now"> },
): Promise<void> {
  const keys = writtenKeys.get(sources ?? cache) ?? new Map<string, number>();
  writtenKeys.set(sources ?? cache, keys);
  const now = sources?.now() ?? Date.now();
  // A clock that was set back must not prevent writes.
  if (Math.abs(now - (keys.get(key) ?? Number.NEGATIVE_INFINITY)) < KEY_WRITE_MS) return;
  keys.delete(key);
  keys.set(key, now);
  const [oldest] = keys.keys();
  if (keys.size > WRITTEN_KEYS_MAX && oldest !== undefined) keys.delete(oldest);
  try {
    if (entry === null) await cache.delete?.(key);
    else await cache.put(key, entry.text, { expirationTtl: entry.seconds });
  } catch (error) {
    logCacheFailure(error);
  }
}

function logCacheFailure(error: unknown): null {
  logLine("error", "answer-cache", { problem: String(loggable(error)) });
  return null;
}

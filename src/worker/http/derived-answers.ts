import { Buffer } from "node:buffer";
import { utf8Length } from "../../catalog/bytes.ts";
import { writeCache } from "./kv-cache.ts";
import type { RequestContext } from "./operation.ts";

/** KV keys of answers that cost more than one read, such as `trending:v2:daily`, and their TTL in seconds. */
export const LANGUAGE_COUNTS = "languages:v2";
export const LANGUAGE_COUNTS_SECONDS = 300;
export const TRENDING_SECONDS = 300;

export function trendingName(period: string): string {
  return `trending:v2:${period}`;
}

interface DerivedAnswer<Value> {
  name: string;
  seconds: number;
  make: () => Promise<Value>;
  /** False if a name from outside does not exist, so that clients cannot fill KV. Default: true. */
  isKept?: Promise<boolean>;
  /** Q804: true for a value of an empty catalog, which is stored for a minute only. */
  isEmpty?: (value: Value) => boolean;
}

/** Longest name of an entry, in bytes: keys in KV have 512 at most. */
const NAME_BYTES_MAX = 480;
const EMPTY_SECONDS = 60;

async function hashOf(name: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  return Buffer.from(hash).toString("base64url");
}

/** Returns an answer from KV, which may be a minute behind, or computes and stores it. */
export async function readDerived<Value>(
  context: RequestContext,
  { name, seconds, make, isKept, isEmpty }: DerivedAnswer<Value>,
): Promise<Value> {
  const {
    sources,
    stores: { cache },
  } = context;
  const key = utf8Length(name) <= NAME_BYTES_MAX ? name : `hash:v1:${await hashOf(name)}`;
  const cached = await cache.get<Value>(key, "json");
  if (cached !== null) return cached;
  const value = await make();
  const entry = { text: JSON.stringify(value), seconds: isEmpty?.(value) === true ? EMPTY_SECONDS : seconds };
  const store = () => writeCache(cache, key, { entry, sources });
  context.waitUntil(
    isKept === undefined ? store() : isKept.then((isStored) => (isStored ? store() : undefined)),
  );
  return value;
}

import type { RequestContext } from "./operation.ts";

/** KV keys of answers that cost more than one read, and their TTL in seconds. */
export const LANGUAGE_COUNTS = "languages:v2";
export const LANGUAGE_COUNTS_SECONDS = 3600;
export const TRENDING_SECONDS = 300;

/** Returns the KV key of a period's ranking of trending works. */
export function trendingName(period: string): string {
  return `trending:v2:${period}`;
}

/**
 * Returns an answer from KV, or computes and stores it. KV may be a minute behind, so it only holds answers and never
 * decides anything.
 */
export async function derived<Value>(
  context: RequestContext,
  { name, seconds, make, isKept }: DerivedAnswer<Value>,
): Promise<Value> {
  const { cache } = context.stores;
  const kept = await cache.get<Value>(name, "json");
  if (kept !== null) return kept;
  const value = await make();
  const keep = (): Promise<void> => cache.put(name, JSON.stringify(value), { expirationTtl: seconds });
  context.waitUntil(isKept === undefined ? keep() : isKept.then((is) => (is ? keep() : undefined)));
  return value;
}

interface DerivedAnswer<Value> {
  readonly name: string;
  readonly seconds: number;
  readonly make: () => Promise<Value>;
  /**
   * False if the name comes from outside and does not exist: clients must not fill KV with such entries. Default: true.
   */
  readonly isKept?: Promise<boolean>;
}

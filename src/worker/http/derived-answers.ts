import type { RequestContext } from "./operation.ts";

/** Names in KV of answers that cost more than one read, and how long they may live, in seconds. */
export const LANGUAGE_COUNTS = "languages:v2";
export const LANGUAGE_COUNTS_SECONDS = 3600;
export const TRENDING_SECONDS = 300;

/** The ranking of a period of trending works. */
export function trendingName(period: string): string {
  return `trending:v2:${period}`;
}

/**
 * An answer kept in KV, made anew when it is not there. KV is only ever asked for answers, never for
 * decisions: it may be a minute behind.
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
  /** Whether to keep it, where names come from outside: nobody is to fill KV with what does not exist. Default: yes. */
  readonly isKept?: Promise<boolean>;
}

export const METER_PATH = "/bench/meter";

/** Prices of the platform. Rows are those of D1 and of Durable Objects, with the entries of indexes. */
export interface Usage {
  /** Of clients and of queue consumers. */
  requests: number;
  rowsRead: number;
  rowsWritten: number;
  databaseCalls: number;
  objectCalls: number;
  messages: number;
  cacheReads: number;
  cacheWrites: number;
}

/**
 * US dollars for a million beyond the plan: Cloudflare's list prices of November 2026, of the pages "Pricing" of Workers,
 * D1, Durable Objects, Queues, KV and Analytics Engine at developers.cloudflare.com.
 */
const PRICES: Readonly<Record<keyof Usage, number>> = {
  requests: 0.3,
  rowsRead: 0.001,
  rowsWritten: 1,
  databaseCalls: 0,
  objectCalls: 0.15,
  // Written, read and deleted: three operations.
  messages: 3 * 0.4,
  cacheReads: 0.5,
  cacheWrites: 5,
};
/** CPU time of a request or consumer in milliseconds, as measured, and its price. A data point is written of each. */
const CPU_MS = 3;
const CPU_MS_PRICE = 0.02;
const DATA_POINT_PRICE = 0.25;

/** Returns the price of a million of what a usage is for, in US dollars. */
export function costOf(usage: Usage): number {
  const names = Object.keys(PRICES) as (keyof Usage)[];
  const work = usage.requests * (CPU_MS * CPU_MS_PRICE + DATA_POINT_PRICE);
  return names.reduce((sum, name) => sum + usage[name] * PRICES[name], work);
}

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
/** Amounts that the paid plan includes each month. Calls of databases cost nothing. */
const INCLUDED: Readonly<Record<keyof Usage, number>> = {
  requests: 10e6,
  rowsRead: 25e9,
  rowsWritten: 50e6,
  databaseCalls: 0,
  objectCalls: 1e6,
  messages: 1e6 / 3,
  cacheReads: 10e6,
  cacheWrites: 1e6,
};
const [PLAN, CPU_MS_INCLUDED, DATA_POINTS_INCLUDED] = [5, 30e6, 10e6];

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

/** Returns the lines of a month's bill: what it is for, the amount, the amount beyond the plan, and US dollars. */
export function billOf(
  month: Usage,
): (readonly [item: string, used: number, beyond: number, dollars: number])[] {
  const names = Object.keys(PRICES) as (keyof Usage)[];
  const parts = [
    ...names.map((name) => [name, month[name], INCLUDED[name], PRICES[name]] as const),
    ["CPU, ms", month.requests * CPU_MS, CPU_MS_INCLUDED, CPU_MS_PRICE] as const,
    ["data points", month.requests, DATA_POINTS_INCLUDED, DATA_POINT_PRICE] as const,
  ];
  const lines = parts.map(([item, used, included, price]) => {
    const beyond = Math.max(0, used - included);
    return [item, used, beyond, (beyond * price) / 1e6] as const;
  });
  const sum = lines.reduce((dollars, [, , , more]) => dollars + more, PLAN);
  return [["plan", 1, 1, PLAN], ...lines, ["sum", 1, 1, sum]];
}

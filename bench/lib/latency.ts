import { connection, get } from "./client.ts";

/** Passes over the same queries. */
const ROUNDS = 3;

/** A query to both services, as paths. */
export interface Query {
  ours: string;
  theirs: string;
}
/** Sends a request and returns the status of the response. */
type Ask = (request: string) => Promise<string>;
/** Percentiles in milliseconds. */
export interface Times {
  p50: number;
  p95: number;
  p99: number;
}

/**
 * Sends both services the same queries in turns over one connection each, and measures the response times.
 */
export async function measureLatencies(
  ports: { ours: number; theirs: number },
  queries: Query[],
): Promise<{ ours: Times; theirs: Times; failed: number }> {
  const ours: number[] = [];
  const theirs: number[] = [];
  let failed = 0;
  const measure: (ask: Ask, path: string, times: number[]) => Promise<void> = async (ask, path, times) => {
    const started = performance.now();
    const status = await ask(get(path));
    times.push(performance.now() - started);
    if (status !== "200") failed += 1;
  };
  await connection(ports.ours, (askOurs) =>
    connection(ports.theirs, async (askTheirs) => {
      for (const query of queries.slice(0, 5)) {
        await measure(askOurs, query.ours, []);
        await measure(askTheirs, query.theirs, []);
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [index, query] of queries.entries()) {
          // The second request finds the pages in memory, so the order alternates.
          const isFirst = (index + round) % 2 === 0;
          if (isFirst) await measure(askOurs, query.ours, ours);
          await measure(askTheirs, query.theirs, theirs);
          if (!isFirst) await measure(askOurs, query.ours, ours);
        }
      }
    }),
  );
  return { ours: percentiles(ours), theirs: percentiles(theirs), failed };
}

export function percentiles(values: number[]): Times {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

import { connection, get } from "./client.ts";

/** Passes over the same queries. */
const ROUNDS = 3;

/** A query to both services, as paths. */
export interface Question {
  ours: string;
  theirs: string;
}
/** Sends a request and returns the status of the response. */
export type Ask = (request: string) => Promise<string>;
/** Percentiles in milliseconds. */
export interface Times {
  p50: number;
  p95: number;
  p99: number;
}

/**
 * Sends both services the same queries in turns over one connection each, and measures the response times.
 */
export async function latencies(
  ports: { ours: number; theirs: number },
  questions: Question[],
): Promise<{ ours: Times; theirs: Times; refused: number }> {
  const ours: number[] = [];
  const theirs: number[] = [];
  let refused = 0;
  const one: (ask: Ask, path: string, taken: number[]) => Promise<void> = async (ask, path, taken) => {
    const started = performance.now();
    const status = await ask(get(path));
    taken.push(performance.now() - started);
    if (status !== "200") refused += 1;
  };
  await connection(ports.ours, (askOurs) =>
    connection(ports.theirs, async (askTheirs) => {
      for (const question of questions.slice(0, 5)) {
        await one(askOurs, question.ours, []);
        await one(askTheirs, question.theirs, []);
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [index, question] of questions.entries()) {
          // Whoever asks second finds the pages in memory: the turn changes.
          const isFirst = (index + round) % 2 === 0;
          if (isFirst) await one(askOurs, question.ours, ours);
          await one(askTheirs, question.theirs, theirs);
          if (!isFirst) await one(askOurs, question.ours, ours);
        }
      }
    }),
  );
  return { ours: times(ours), theirs: times(theirs), refused };
}

export function times(values: number[]): Times {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

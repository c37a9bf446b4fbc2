import { env } from "cloudflare:workers";
import { storeDeadLetters } from "../../../src/worker/operations/dead-letters.ts";
import type { Jobs, QueueName } from "../../../src/worker/http/queue.ts";
import { QUEUES } from "../../../src/worker/jobs.ts";

/** A letter as it is stored. */
export interface StoredLetter {
  readonly id: number;
  readonly queue: string;
  readonly body: string;
  readonly is_whole: number;
  readonly message: string;
  readonly times: number;
  readonly first: number;
  readonly last: number;
  readonly due: number | null;
}

/** All letters that are there, in order of their numbers. */
export async function storedLetters(): Promise<StoredLetter[]> {
  const sql = "SELECT * FROM dead_letter WHERE message <> '' ORDER BY id";
  return (await env.PATRONS.prepare(sql).all<StoredLetter>()).results;
}

let messages = 0;

/** Messages of a queue that could not be delivered; `ends` says after how many seconds each comes again, if it does. */
export function deadMessages(
  bodies: readonly unknown[],
  { attempts = 1, id }: { attempts?: number; id?: string } = {},
) {
  const ends: (number | undefined)[] = bodies.map(() => undefined);
  const batch = bodies.map((body, index): Message => {
    messages += 1;
    return {
      id: id ?? `dead-${messages}`,
      timestamp: new Date(),
      body,
      attempts,
      ack: () => undefined,
      retry: ({ delaySeconds = 0 } = {}) => void (ends[index] = delaySeconds),
    };
  });
  return { batch, ends };
}

/** Hands messages of a queue that could not be delivered to their consumer. */
export async function die(jobs: Jobs, queue: QueueName, ...bodies: unknown[]): Promise<void> {
  await bury(jobs, queue, deadMessages(bodies).batch);
}

/** Stores a batch of dead letters of a queue. */
export async function bury(jobs: Jobs, queue: QueueName, batch: readonly Message[]): Promise<void> {
  for (const reader of QUEUES) if (reader.name === queue) await storeDeadLetters(reader, batch, jobs);
}

import type * as z from "zod";
import { type Sources, type Stores, storesOf, systemSources } from "./bindings.ts";
import { logLine, loggable } from "./log.ts";
import { measuredBatch } from "./metrics.ts";
import { type Settings, settingsOf } from "./settings.ts";

/** What jobs are done with. */
export interface Jobs {
  readonly stores: Stores;
  readonly settings: Settings;
  readonly sources: Sources;
}

/** The same out of the bindings. */
export function jobsOf(env: Env): Jobs {
  return { stores: storesOf(env), settings: settingsOf(env), sources: systemSources };
}

/** How long one message works on its job, in milliseconds; another message goes on with what is left. */
export const JOB_BUDGET_MS = 15_000;

/** The queues that this service reads, each with its dead letters in `<name>-dead`, and where messages are sent to. */
const QUEUES = {
  "carrel-index": "indexQueue",
  "carrel-lookups": "lookupQueue",
  "carrel-activity": "activityQueue",
  "carrel-patron-jobs": "patronJobs",
  "carrel-imports": "importQueue",
  "carrel-cover-jobs": "coverJobs",
  "carrel-dumps": "dumpJobs",
} as const satisfies Readonly<Record<string, keyof Stores>>;
export type QueueName = keyof typeof QUEUES;

// The keys of a constant are those of its type.
export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

/** The queues by name. */
export function queuesOf(stores: Stores): ReadonlyMap<string, Queue> {
  return new Map(QUEUE_NAMES.map((name) => [name, stores[QUEUES[name]]]));
}

/** Who reads a queue. */
export interface QueueReader {
  readonly name: QueueName;
  /** Works on a batch. What is not acknowledged is when this returns; the whole batch comes again when it throws. */
  work(messages: readonly Message[], jobs: Jobs): Promise<void>;
  /** What is to be done besides about messages that could not be delivered. */
  bury?(messages: readonly Message[], jobs: Jobs): Promise<void>;
  /** True for a message that is sent again after it could not be delivered: nothing else is known of what it is about. */
  isSentAgain?(body: unknown): boolean;
}

interface Declared<Schema extends z.ZodType, Work> extends Omit<QueueReader, "work"> {
  readonly message: Schema;
  /** Event of the log. */
  readonly event: string;
  /** What the log says of a message that does not fit the schema, which is dropped. */
  readonly misfit: string;
  /**
   * Works on one message, or on all of a batch. Messages may be lost, doubled, late or repeated after a failure half-way,
   * so the work reads what is left to do from what is stored.
   */
  work(work: Work, jobs: Jobs): Promise<unknown>;
}

interface QueueDefinition<Schema extends z.ZodType> extends Declared<Schema, z.output<Schema>> {
  /** Seconds until a message that has failed so many times comes again; absent: the platform's. */
  retry?(attempts: number): number;
  /** Messages that are worked on side by side; one unless stated. */
  readonly atOnce?: number;
  /** By what the log knows a message that failed, if not by its own id. */
  logged?(message: z.output<Schema>): Readonly<Record<string, unknown>>;
}

/** Declares a queue whose messages are worked on one by one: one that fails comes again, and holds up no other. */
export function queue<Schema extends z.ZodType>(definition: QueueDefinition<Schema>): QueueReader {
  return {
    ...definition,
    async work(messages, jobs) {
      const waiting = messages.values();
      const workers = Array.from({ length: definition.atOnce ?? 1 }, async () => {
        for (const message of waiting) {
          await takeTurns();
          await workOne(definition, message, jobs);
        }
      });
      await Promise.all(workers);
    },
  };
}

async function workOne<Schema extends z.ZodType>(
  definition: QueueDefinition<Schema>,
  message: Message,
  jobs: Jobs,
): Promise<void> {
  const { event, retry, logged } = definition;
  const [fitting] = fittingMessages(definition, [message]);
  try {
    if (fitting !== undefined) await definition.work(fitting.body, jobs);
    message.ack();
  } catch (error) {
    const known = fitting === undefined ? undefined : logged?.(fitting.body);
    logLine("error", event, { ...(known ?? { message: message.id }), error: String(loggable(error)) });
    message.retry(retry === undefined ? {} : { delaySeconds: retry(message.attempts) });
  }
}

/** A message that fits its schema. */
type Fitting<Body> = Pick<Message<Body>, "id" | "timestamp" | "body">;

/** Declares a queue whose messages are worked on as they are delivered: a whole batch together, which fails as one. */
export function batchQueue<Schema extends z.ZodType>(
  definition: Declared<Schema, readonly Fitting<z.output<Schema>>[]>,
): QueueReader {
  return {
    ...definition,
    async work(messages, jobs) {
      const fitting = fittingMessages(definition, messages);
      if (fitting.length > 0) await definition.work(fitting, jobs);
    },
  };
}

function fittingMessages<Schema extends z.ZodType>(
  { message: schema, event, misfit }: Omit<Declared<Schema, never>, "work">,
  messages: readonly Message[],
): Fitting<z.output<Schema>>[] {
  return messages.flatMap(({ id, timestamp, body }) => {
    const parsed = schema.safeParse(body);
    if (parsed.success) return [{ id, timestamp, body: parsed.data }];
    logLine("error", event, { message: id, problem: misfit });
    return [];
  });
}

/** Waits twice as long each further time. */
export function doubling(seconds: number): (attempts: number) => number {
  return (attempts) => seconds * 2 ** (attempts - 1);
}

/**
 * Lets others go on. In the local runtime, where databases and consumers share a thread, requests are not even read
 * as long as there is anything else to do.
 */
export function takeTurns(): Promise<void> {
  return scheduler.wait(0);
}

type Bury = (queue: QueueReader, messages: readonly Message[], jobs: Jobs) => Promise<void>;

/** The handler of queues: hands each batch to its reader, one of dead letters to `bury`, and counts it. */
export function queueHandler(queues: readonly QueueReader[], bury: Bury) {
  const readers = new Map<string, QueueReader["work"]>();
  for (const read of queues) {
    readers.set(read.name, read.work);
    readers.set(`${read.name}-dead`, (messages, jobs) => bury(read, messages, jobs));
  }
  return (batch: MessageBatch, env: Env): Promise<void> => {
    const jobs = jobsOf(env);
    return measuredBatch(batch, jobs, async () => {
      const work = readers.get(batch.queue);
      // Delivered again and at last put with the dead letters, where it can be seen.
      if (work === undefined) throw new Error(`no consumer for the queue ${batch.queue}`);
      await work(batch.messages, jobs);
    });
  };
}

/** Sends messages. A failure is logged only, as `event` of what is `known`: what nobody was told of, a sweep finds. */
export async function sendOrLog(
  event: string,
  known: Readonly<Record<string, unknown>>,
  send: () => Promise<unknown>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    logLine("error", event, { ...known, error: String(error) });
  }
}

/** Tells the projections of a change. */
export function announceChange(index: Queue, change: number): Promise<void> {
  return sendOrLog("announce", { change }, () => index.send({ change }));
}

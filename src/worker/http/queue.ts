import type * as z from "zod";
import { endPart, inInvocation } from "../../db/edge-limits.ts";
import { PLATFORM } from "../../db/platform-limits.ts";
import { type Sources, type Stores, storesOf, systemSources } from "./bindings.ts";
import { type CallBudget, withBudget } from "./call-budget.ts";
import { logLine, loggable, inLogScope } from "./log.ts";
import { measureBatch, createLogScope, writePoint } from "./metrics.ts";
import { type Settings, settingsOf } from "./settings.ts";

export type Jobs = { stores: Stores; settings: Settings; sources: Sources };

export type BudgetedJobs = Jobs & { readonly budget: CallBudget };

/** Time budget of a batch, and of the sweep, which waits between requests to a followed service, in milliseconds. */
const BATCH_MS = 15_000;
const SWEEP_MS = 100_000;

export function jobsOf(env: Env, milliseconds = BATCH_MS): BudgetedJobs {
  const unbounded = { stores: storesOf(env), settings: settingsOf(env), sources: systemSources };
  return { ...unbounded, ...withBudget(unbounded, milliseconds) };
}

/** Queues that this service consumes, each with its dead letters in `<name>-dead`, and the binding of its producer. */
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

export function queuesOf(stores: Stores): ReadonlyMap<string, Queue> {
  return new Map(QUEUE_NAMES.map((name) => [name, stores[QUEUES[name]]]));
}

export interface QueueConsumer {
  readonly name: QueueName;
  /** Processes a batch, and acknowledges messages on return. On error the whole batch is redelivered. */
  work(messages: readonly Message[], jobs: BudgetedJobs): Promise<void>;
  onDeadLetter?(messages: readonly Message[], jobs: Jobs): Promise<void>;
  /** Returns true for a message that is sent again after its delivery failed: nothing else knows of its subject. */
  isSentAgain?(body: unknown): boolean;
}

interface BatchDefinition<Schema extends z.ZodType, Work> extends Omit<QueueConsumer, "work"> {
  message: Schema;
  event: string;
  /** Log text for a message that does not fit the schema. */
  misfit: string;
  /**
   * Processes one message, or all of a batch. Messages may be lost, doubled, late or repeated after a failure half-way,
   * so the work reads the remaining steps from storage.
   */
  work(work: Work, jobs: BudgetedJobs): Promise<unknown>;
}

interface QueueDefinition<Schema extends z.ZodType> extends BatchDefinition<Schema, z.output<Schema>> {
  /** Returns the seconds before a message that has failed so many times is retried; absent: the platform's default. */
  retry?(attempts: number): number;
  /** Messages processed concurrently. Default: 1. */
  atOnce?: number;
  logged?(message: z.output<Schema>): Readonly<Record<string, unknown>>;
}

/** Declares a queue whose messages are processed one by one: a failed one is retried and blocks no others. */
export function queue<Schema extends z.ZodType>(definition: QueueDefinition<Schema>): QueueConsumer {
  return {
    ...definition,
    async work(messages, jobs) {
      const waiting = messages.values();
      const workers = Array.from({ length: definition.atOnce ?? 1 }, async () => {
        for (const message of waiting) {
          await yieldToTasks();
          await processMessage(definition, message, jobs);
        }
      });
      await Promise.all(workers);
    },
  };
}

async function processMessage<Schema extends z.ZodType>(
  definition: QueueDefinition<Schema>,
  message: Message,
  jobs: BudgetedJobs,
): Promise<void> {
  const { event, retry, logged } = definition;
  const [valid] = validMessages(definition, [message]);
  try {
    if (valid === undefined) return;
    // A retry would count as a failed attempt.
    if (jobs.budget.isOver()) await queuesOf(jobs.stores).get(definition.name)?.send(message.body);
    else await definition.work(valid.body, jobs);
    message.ack();
  } catch (error) {
    const fields = (valid && logged?.(valid.body)) ?? { message: message.id };
    logLine("error", event, { ...fields, error: String(loggable(error)) });
    message.retry(retry === undefined ? {} : { delaySeconds: retry(message.attempts) });
  }
}

type ValidMessage<Body> = Pick<Message<Body>, "id" | "timestamp" | "body">;

export function batchQueue<Schema extends z.ZodType>(
  definition: BatchDefinition<Schema, readonly ValidMessage<z.output<Schema>>[]>,
): QueueConsumer {
  return {
    ...definition,
    async work(messages, jobs) {
      const valid = validMessages(definition, messages);
      if (valid.length > 0) await definition.work(valid, jobs);
    },
  };
}

/** Seconds before a message of an unknown kind is retried, twice as long each time: half an hour with five retries. */
const UNKNOWN_RETRY_SECONDS = 60;

/**
 * Returns the messages that fit the schema. Other objects are retried, and end among the dead letters: during a gradual
 * deployment an older version receives messages of a newer one. What is no object is no message of any version.
 */
function validMessages<Schema extends z.ZodType>(
  { message: schema, event, misfit }: Omit<BatchDefinition<Schema, never>, "work">,
  messages: readonly Message[],
): ValidMessage<z.output<Schema>>[] {
  return messages.flatMap((message) => {
    const { id, timestamp, body, attempts } = message;
    const parsed = schema.safeParse(body);
    if (parsed.success) return [{ id, timestamp, body: parsed.data }];
    logLine("error", event, { message: id, problem: misfit });
    if (typeof body === "object" && body !== null) {
      message.retry({ delaySeconds: doublingDelay(UNKNOWN_RETRY_SECONDS)(attempts) });
    } else message.ack();
    return [];
  });
}

export function doublingDelay(seconds: number): (attempts: number) => number {
  return (attempts) => seconds * 2 ** (attempts - 1);
}

/** Yields to other tasks: in the local runtime, databases and consumers share one thread with requests. */
export function yieldToTasks(): Promise<void> {
  return scheduler.wait(0);
}

/** Creates the queue handler, which passes each batch to its consumer, or to `onDeadLetters`, and counts it. */
export function createQueueHandler(
  consumers: readonly QueueConsumer[],
  onDeadLetters: (consumer: QueueConsumer, messages: readonly Message[], jobs: Jobs) => Promise<void>,
) {
  const workOf = new Map<string, QueueConsumer["work"]>();
  for (const consumer of consumers) {
    workOf.set(consumer.name, consumer.work);
    workOf.set(`${consumer.name}-dead`, (messages, jobs) => onDeadLetters(consumer, messages, jobs));
  }
  return (batch: MessageBatch, env: Env): Promise<void> => {
    const jobs = jobsOf(env);
    const kind = () => `queue ${batch.queue}`;
    const consume = async () => {
      const work = workOf.get(batch.queue);
      // The batch is redelivered and ends among the dead letters, where operators can see it.
      if (work === undefined) throw new Error(`no consumer for the queue ${batch.queue}`);
      await work(batch.messages, jobs);
    };
    return inInvocation(jobs.settings.EDGE_LIMITS, kind, () => measureBatch(batch, jobs, consume));
  };
}

/** Sends messages. A failure is only logged, as `event` with some fields: a scheduled task finds the unsent work. */
export async function sendOrLog(
  event: string,
  fields: Readonly<Record<string, unknown>>,
  send: () => Promise<unknown>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    logLine("error", event, { ...fields, error: String(error) });
  }
}

/** Sends messages in batches, as many as the platform takes at once. */
export async function sendAll(target: Queue, bodies: readonly unknown[], delaySeconds = 0): Promise<void> {
  for (let start = 0; start < bodies.length; start += PLATFORM.SEND_BATCH_MAX) {
    const messages = bodies.slice(start, start + PLATFORM.SEND_BATCH_MAX).map((body) => ({ body }));
    await target.sendBatch(messages, { delaySeconds });
  }
}

export function announceChange(index: Queue, change: number): Promise<void> {
  return sendOrLog("announce", { change }, () => index.send({ change }));
}

export type SweepSteps = Readonly<Record<string, (jobs: BudgetedJobs) => Promise<unknown>>>;

/**
 * Creates the cron handler. A failed step does not stop the others; the run fails at the end. When the budget is over,
 * each of the remaining steps still does the least that it can, so that no step is always left out.
 */
export function createSweepHandler(steps: SweepSteps) {
  return async ({ cron }: ScheduledController, env: Env): Promise<void> => {
    const jobs = jobsOf(env, SWEEP_MS);
    const scope = createLogScope(jobs.stores.metrics, { cron });
    const run = () => inLogScope(scope, () => runSteps(steps, jobs));
    const failed = await inInvocation(jobs.settings.EDGE_LIMITS, () => "cron", run);
    if (failed.length > 0) throw new Error(`the sweep failed: ${failed.join(", ")}`);
  };
}

async function runSteps(steps: SweepSteps, jobs: BudgetedJobs): Promise<string[]> {
  const { stores, sources } = jobs;
  const failed: string[] = [];
  for (const [step, work] of Object.entries(steps)) {
    const started = sources.now();
    let outcome: "done" | "failed" = "done";
    try {
      await work(jobs);
    } catch (error) {
      logLine("error", "sweep", { step, error: String(loggable(error)) });
      failed.push(step);
      outcome = "failed";
    }
    endPart(`cron ${step}`);
    writePoint(stores.metrics, "sweep", [[step, outcome], [sources.now() - started]]);
  }
  return failed;
}

import { env } from "cloudflare:workers";
import worker from "../../../src/worker/index.ts";
import { patronsHaveSent } from "./objects.ts";

/** Body of a message that follows all others. */
const MARKER = "the last message";
// The runtime finds the handler of the queues in this object, at every delivery.
const consume = worker.queue;
type Consume = typeof consume;
let consumeBatch = consume;
/** Batches that are being worked on. */
const running = new Set<object>();
/** Queues whose marker has arrived. */
const arrived = new Set<string>();
/** True if a consumer has run: it may have sent more messages, or have failed and be called again. */
let hasConsumed = false;
let isDropping = false;

worker.queue = async (batch, bindings) => {
  running.add(batch);
  const sent = withoutMarkers(batch);
  const isConsumed = !isDropping && sent.messages.length > 0;
  try {
    if (isConsumed) await consumeBatch(sent, bindings);
  } finally {
    running.delete(batch);
    // Not sooner: a batch of the round before may send more in this one.
    if (isConsumed) hasConsumed = true;
    if (batch.messages.some(({ body }) => body === MARKER)) arrived.add(batch.queue);
  }
};

/** The messages of a batch that something of the service has sent. */
function withoutMarkers<Body>(batch: MessageBatch<Body>): MessageBatch<Body> {
  const messages = batch.messages.filter(({ body }) => body !== MARKER);
  if (messages.length === batch.messages.length) return batch;
  const { queue, metadata } = batch;
  return {
    queue,
    metadata,
    messages,
    ackAll: () => messages.forEach((message) => message.ack()),
    retryAll: (options) => messages.forEach((message) => message.retry(options)),
  };
}

/** Lets batches pass through a function, which is given the consumer; without one they go there directly again. */
export function consumeThrough(pass?: (batch: MessageBatch, consume: Consume) => Promise<void>): void {
  consumeBatch = pass === undefined ? consume : (batch) => pass(batch, consume);
}

/**
 * Waits until all messages are consumed or given up, including those that consumers send meanwhile. Returns true if there
 * were any.
 */
async function followed(queues: readonly Queue[]): Promise<boolean> {
  for (let hasMore = false; ; hasMore = true) {
    hasConsumed = false;
    await delivered(queues);
    if (!hasConsumed) return hasMore;
  }
}

/** Waits until all that was sent has been delivered once. A queue is delivered in order, one batch at a time. */
async function delivered(queues: readonly Queue[]): Promise<void> {
  arrived.clear();
  await Promise.all(queues.map((queue) => queue.send(MARKER)));
  while (arrived.size < queues.length || running.size > 0) await scheduler.wait(1);
}

/** Waits for the consumer that follows the log, so that it changes nothing behind the back of a test. */
export async function settleIndexQueue(): Promise<void> {
  await followed([env.INDEX]);
}

/** Waits until what patrons did has come to counts and lists, and to the search index. */
export async function settleActivity(): Promise<void> {
  // Jobs change the objects of patrons, which send it a little later.
  do await patronsHaveSent();
  while (await followed([env.ACTIVITY, env.INDEX, env.PATRON_JOBS]));
}

/** Waits until what was queued for import has been imported, and the search index knows it. */
export async function settleImports(): Promise<void> {
  await followed([env.IMPORTS]);
  await followed([env.COVER_JOBS]);
  await followed([env.INDEX]);
}

/** Drops all messages that were sent so far and have not arrived, and waits for the consumers that are at work. */
export async function emptyQueues(): Promise<void> {
  await losing(() => Promise.resolve());
}

/** Does something of which no message arrives anywhere. Returns its result. */
export async function losing<Value>(work: () => Promise<Value>): Promise<Value> {
  isDropping = true;
  const value = await work();
  await patronsHaveSent();
  await followed([
    env.INDEX,
    env.LOOKUPS,
    env.ACTIVITY,
    env.PATRON_JOBS,
    env.IMPORTS,
    env.COVER_JOBS,
    env.DUMP_JOBS,
  ]);
  isDropping = false;
  return value;
}

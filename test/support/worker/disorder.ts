import { env } from "cloudflare:workers";
import type worker from "../../../src/worker/index.ts";
import { consumeThrough } from "./queues.ts";
import type { Random } from "./random.ts";
import { openReplica } from "./replica.ts";

/** Share of messages whose first delivery is not late. */
const ON_TIME = 0.6;
/** A message that fails so often is a failure of the test. */
const ATTEMPTS_MAX = 10;

type Consume = typeof worker.queue;

/**
 * The platform at its worst: messages come twice and in any order; values of KV and replicas are old. A late index is as a
 * replica of it that is behind.
 */
export interface Disorder {
  /** Bindings of the worker under these conditions. */
  readonly bindings: Cloudflare.Env;
  /** Delivers a share of the late messages in any order. Returns false if there were none. */
  deliver(share: number): Promise<boolean>;
  /** Lets KV and the replicas catch up. */
  catchUp(): Promise<void>;
  end(): void;
}

export async function beginDisorder(random: Random): Promise<Disorder> {
  const catalog = await openReplica(env.CATALOG, env.CATALOG_REPLICA);
  const patrons = await openReplica(env.PATRONS, env.PATRONS_REPLICA);
  const cache = lateCache(env.CACHE);
  const bindings = {
    ...env,
    EDGE_CACHE: "off",
    CATALOG: catalog.near,
    PATRONS: patrons.near,
    CACHE: cache.near,
  };
  let late: LateMessage[] = [];
  consumeThrough((batch, consume) => {
    const messages = random.shuffled(batch.messages).filter((message) => {
      const isOnTime = random.chance(ON_TIME);
      const again = { message, queue: batch.queue, consume, attempts: message.attempts + 1 };
      late.push(...(isOnTime ? [again] : [again, again]));
      if (!isOnTime) message.ack();
      return isOnTime;
    });
    return messages.length > 0 ? consume(batchOf(batch.queue, messages), bindings) : Promise.resolve();
  });
  return {
    bindings,
    async deliver(share) {
      const chosen = new Set(late.filter(() => random.chance(share)));
      late = late.filter((message) => !chosen.has(message));
      const byQueue = Map.groupBy(random.shuffled([...chosen]), ({ queue }) => queue);
      for (const [queue, messages] of byQueue) {
        const failed = await deliverBatch(queue, messages, bindings);
        late.push(...failed.map((message) => ({ ...message, attempts: message.attempts + 1 })));
        const lost = failed.find(({ attempts }) => attempts > ATTEMPTS_MAX);
        if (lost !== undefined) throw new Error(`${queue} fails: ${JSON.stringify(lost.message.body)}`);
      }
      return chosen.size > 0;
    },
    async catchUp() {
      cache.catchUp();
      await Promise.all([catalog.catchUp(), patrons.catchUp()]);
    },
    end: () => consumeThrough(),
  };
}

interface LateMessage {
  readonly queue: string;
  readonly message: Message;
  readonly consume: Consume;
  readonly attempts: number;
}

/** Delivers a batch that the runtime knows nothing of. Returns the messages that failed. */
async function deliverBatch(queue: string, late: readonly LateMessage[], bindings: Cloudflare.Env) {
  const failed = new Set<LateMessage>();
  const messages = late.map((one): Message => ({
    id: one.message.id,
    timestamp: one.message.timestamp,
    body: one.message.body,
    attempts: one.attempts,
    ack: () => void failed.delete(one),
    retry: () => void failed.add(one),
  }));
  const [first] = late;
  try {
    await first?.consume(batchOf(queue, messages), bindings);
  } catch {
    return late;
  }
  return [...failed];
}

function batchOf(queue: string, messages: readonly Message[]): MessageBatch {
  return {
    queue,
    messages,
    metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
    ackAll: () => messages.forEach((message) => message.ack()),
    retryAll: (options) => messages.forEach((message) => message.retry(options)),
  };
}

/** Values, or their absence, as they were when they were first read since the last call of `catchUp`. */
function lateCache(cache: KVNamespace) {
  const known = new Map<string, Promise<string | null>>();
  const get = async (key: string, type?: string): Promise<unknown> => {
    const reading = known.get(key) ?? cache.get(key);
    known.set(key, reading);
    const text = await reading;
    return type === "json" && text !== null ? JSON.parse(text) : text;
  };
  const near = new Proxy(cache, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name === "get") return get;
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { near, catchUp: () => known.clear() };
}

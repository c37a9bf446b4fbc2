// Runs a tree's worker with a clock, random numbers and an internet that are the same for both trees, and tells the
// transcript when all that follows a request is done.
import { env } from "cloudflare:workers";
import unsafe from "workerd:unsafe";
import { randomFrom } from "../../bench/lib/random.ts";

/** Log lines, outgoing requests and delayed messages, which the transcript compares beside responses and stores. */
let notes: string[] = [];
let now = 0;
let random = randomFrom(0);

globalThis.Date = new Proxy(Date, {
  construct: (target, values) => Reflect.construct(target, values.length === 0 ? [now] : values) as object,
  get: (target, name) => (name === "now" ? () => now : Reflect.get(target, name)),
});
Math.random = () => random();
const fillRandom = <Bytes extends ArrayBufferView>(target: Bytes): Bytes => {
  const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = random() * 256;
  return target;
};
Object.defineProperties(crypto, {
  getRandomValues: { value: fillRandom },
  randomUUID: {
    value: () => {
      const digits = [...fillRandom(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0"));
      return digits.join("").replace(/(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-");
    },
  },
});

/** Log lines that repeat the response. */
const NOT_NOTED = /"event":"(?:request|invocation)"/;
for (const level of ["log", "info", "warn", "error"] as const) {
  console[level] = (...values: unknown[]) => {
    const line = values.map(String).join(" ");
    if (!NOT_NOTED.test(line)) notes.push(`${level}: ${line}`);
  };
}

/** A GIF of one pixel, which any address of an image answers. */
const PIXEL = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (sign) =>
  sign.charCodeAt(0),
);
globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
  const request = new Request(input as string, init);
  notes.push(`fetch: ${request.method} ${request.url} ${await request.text()}`);
  const isImage = /\.(?:jpe?g|png|gif)$/.test(new URL(request.url).pathname);
  if (isImage) return new Response(PIXEL, { headers: { "Content-Type": "image/gif" } });
  return Response.json({}, { status: request.url.includes("/metadata/") ? 200 : 404 });
};

/** Requests, calls of objects and promises that no response waits for, and messages on their way. */
let underWay = 0;
let messages = 0;

function track<Result>(work: Result): Result {
  underWay += 1;
  const end = () => {
    underWay -= 1;
  };
  Promise.resolve(work).then(end, end);
  return work;
}

interface Waiting {
  waitUntil(promise: Promise<unknown>): void;
}

function trackPromises<Context extends Waiting>(context: Context): Context {
  const waitUntil = context.waitUntil.bind(context);
  const value = (promise: Promise<unknown>) => waitUntil(track(promise));
  return Object.defineProperty(context, "waitUntil", { value });
}

/** Counts messages until they are consumed. A message with a delay is only noted: it would come at any time. */
function trackQueue(name: string, queue: Queue): void {
  for (const method of ["send", "sendBatch"] as const) {
    const original = queue[method].bind(queue) as (body: unknown, options: unknown) => unknown;
    const value = async (body: unknown, options: { delaySeconds?: number } = {}) => {
      const bodies = method === "send" ? [body] : [...(body as unknown[])];
      notes.push(`${name}: ${JSON.stringify([bodies, options])}`);
      if ((options.delaySeconds ?? 0) > 0 || bodies.length === 0) return undefined;
      messages += bodies.length;
      return original(method === "send" ? body : bodies, options);
    };
    Object.defineProperty(queue, method, { value, writable: true, configurable: true });
  }
}
for (const [name, binding] of Object.entries(env as object)) {
  // A service has every method, which calls it.
  if (typeof binding === "object" && "sendBatch" in binding && !("fetch" in binding))
    trackQueue(name, binding as Queue);
}

/** Returns a batch whose messages are never delivered again, but noted. */
function withoutRetries({ queue, metadata, messages: list }: MessageBatch): MessageBatch {
  const retry = (message: Message) => (options?: QueueRetryOptions) => {
    notes.push(`retry: ${queue} ${JSON.stringify([message.body, options])}`);
    message.ack();
  };
  const all = (call: (message: Message) => void) => () => list.forEach(call);
  return {
    queue,
    metadata,
    messages: list.map((message) => ({
      id: message.id,
      timestamp: message.timestamp,
      body: message.body,
      attempts: message.attempts,
      ack: () => message.ack(),
      retry: retry(message),
    })),
    ackAll: all((message) => message.ack()),
    retryAll: all((message) => retry(message)()),
  };
}

type Fetch = (request: Request, bindings: Env, context: ExecutionContext) => Response | Promise<Response>;

export function trackSite({ fetch }: { fetch: Fetch }) {
  return {
    fetch: ((request, bindings, context) =>
      track(fetch(request, bindings, trackPromises(context)))) satisfies Fetch,
  };
}

interface Worker {
  fetch: Fetch;
  queue(batch: MessageBatch, bindings: Env): Promise<void>;
}

export function trackWorker(worker: Worker) {
  return {
    ...worker,
    ...trackSite(worker),
    async queue(batch: MessageBatch, bindings: Env) {
      await track(worker.queue(withoutRetries(batch), bindings)).finally(() => {
        messages = Math.max(0, messages - batch.messages.length);
      });
    },
  };
}

type Class = new (context: never, bindings: never) => { fetch?: unknown; alarm?: unknown };

/** Tracks the requests, alarms and promises of a Durable Object or an entry point. */
export function trackClass<Base extends Class>(base: Base): Base {
  const Tracked = class extends (base as unknown as new (context: Waiting, bindings: never) => object) {
    constructor(context: Waiting, bindings: never) {
      super(trackPromises(context), bindings);
    }
  };
  for (const name of ["fetch", "alarm"] as const) {
    const method = (base.prototype as Record<string, unknown>)[name];
    if (typeof method !== "function") continue;
    Object.defineProperty(Tracked.prototype, name, {
      configurable: true,
      writable: true,
      value(...values: unknown[]) {
        return track(Reflect.apply(method, this, values));
      },
    });
  }
  return Tracked as unknown as Base;
}

/** Nothing may be under way so many times in a row, between which the runtime delivers what it has. */
const IDLE_LOOKS = 4;
const LOOK_MS = 2;
const LOOKS_MAX = 60_000;

async function becomeIdle(): Promise<void> {
  for (let looks = 0, idle = 0; idle < IDLE_LOOKS; looks += 1) {
    if (looks === LOOKS_MAX) {
      notes.push(`never idle: ${underWay} under way, ${messages} messages`);
      underWay = 0;
      messages = 0;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, idle === 0 ? LOOK_MS : 0));
    idle = underWay === 0 && messages === 0 ? idle + 1 : 0;
  }
}

/** `/step?now=N` waits for what is under way, returns the notes, and sets the clock; `/reset` also closes all stores. */
export const Control = {
  async fetch({ url }: Request) {
    const { pathname, searchParams } = new URL(url);
    await becomeIdle();
    if (pathname === "/reset") await unsafe.abortAllDurableObjects();
    now = Number(searchParams.get("now"));
    random = randomFrom(now / 1000);
    const noted = notes;
    notes = [];
    return Response.json(noted);
  },
};

/**
 * Makes a worker answer alike each time: its clock stands where the last request has put it, its randomness follows
 * from that, and whoever asks is told when nothing is going on any more. It is bundled in front of the worker, never
 * deployed.
 */
import { randomFrom } from "../lib/random.ts";
import { BEGIN_MS, TIME_HEADER, WAIT_HEADER } from "./steady.mjs";

/** What is to happen later never happens while answers are recorded, in seconds; a queue takes no longer delay. */
const LATER_SECONDS = 43_200;
const LONGEST_WAIT_MS = 20_000;
const LOOK_MS = 1;

const realNow = Date.now;
let now = BEGIN_MS;
let random = randomFrom(0);
/** Messages under way, and calls that go on after an answer. */
let busy = 0;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now] : args, made),
});
Date.now = () => now;
Math.random = () => random();
crypto.getRandomValues = (array) => {
  if (array !== null) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = random() * 256;
  }
  return array;
};

/** @typedef {(this: object, request: Request, env: object, context: object) => Promise<Response> | Response} Fetch */
/**
 * @typedef {(this: object, batch: { messages: readonly object[] }, env: object, context: object) => Promise<void>}
 * Consume
 */

/** Takes hold of all that a worker exports. @param {Record<string, unknown>} exported */
export function steady(exported) {
  for (const one of Object.values(exported)) {
    const holder = Object(typeof one === "function" ? one.prototype : one);
    if (typeof holder.fetch === "function") holder.fetch = steadyFetch(holder.fetch);
    if (typeof holder.queue === "function") holder.queue = steadyQueue(holder.queue);
  }
}

/** @param {Fetch} fetch */
function steadyFetch(fetch) {
  /** @type {Fetch} */
  return function answer(request, env, context) {
    if (request.headers.has(WAIT_HEADER)) return quiet();
    const time = request.headers.get(TIME_HEADER);
    if (time !== null) {
      now = Number(time);
      random = randomFrom(now / 1000);
    }
    // Entry points that are classes have both as members.
    watch(context ?? Object(this).ctx, env ?? Object(this).env);
    return fetch.call(this, request, env, context);
  };
}

/** @param {Consume} consume */
function steadyQueue(consume) {
  /** @type {Consume} */
  return async function consumed(batch, env, context) {
    watch(context, env);
    for (const message of [batch, ...batch.messages]) watchRetries(message);
    try {
      await consume.call(this, batch, env, context);
    } finally {
      busy = Math.max(0, busy - batch.messages.length);
    }
  };
}

/** Answers when nothing is under way, or with what still is. */
async function quiet() {
  for (const end = realNow() + LONGEST_WAIT_MS; ;) {
    if (busy <= 0 || realNow() >= end) return new Response(String(busy));
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Counts what goes on besides the answers. @param {object} context @param {object} env */
export function watch(context, env) {
  replaced(context, "waitUntil", (waitUntil) => (promise) => waitUntil(counted(promise)));
  for (const binding of Object.values(env)) {
    if (binding?.constructor?.name !== "WorkerQueue") continue;
    replaced(binding, "send", (send) => (body, options) => send(body, sent(options)));
    replaced(
      binding,
      "sendBatch",
      (send) => (messages, options) => send(Array.from(messages, sent), options),
    );
  }
}

/** @param {object} message or a batch of them */
function watchRetries(message) {
  for (const name of ["retry", "retryAll"]) {
    replaced(message, name, (retry) => (options) => retry(sent(options)));
  }
}

/** A message that comes at once is waited for; another one never comes. @param {{ delaySeconds?: number }} [options] */
function sent(options) {
  if ((options?.delaySeconds ?? 0) > 0) return { ...options, delaySeconds: LATER_SECONDS };
  busy += 1;
  return options;
}

/** @param {Promise<unknown>} promise */
async function counted(promise) {
  busy += 1;
  try {
    return await promise;
  } finally {
    busy -= 1;
  }
}

/** @type {WeakSet<Function>} */
const ours = new WeakSet();

/**
 * Puts a function in the place of a method of all objects of a class.
 * @param {object} object
 * @param {string} name
 * @param {(before: (...args: any[]) => any) => (...args: any[]) => any} change
 */
function replaced(object, name, change) {
  const prototype = Object.getPrototypeOf(object);
  const before = prototype[name];
  if (typeof before !== "function" || ours.has(before)) return;
  prototype[name] = function changed(/** @type {any[]} */ ...args) {
    return change((...all) => before.apply(this, all))(...args);
  };
  ours.add(prototype[name]);
}

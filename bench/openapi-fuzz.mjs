// Requests that try to make the service break its own description:
// `npm run bench -- openapi-fuzz [--requests 50000] [--seed 1] [--clients 4] [--class ID] [--log FILE]`.
import { writeFile } from "node:fs/promises";
import { withFuzzTarget } from "./lib/fuzz-target.mjs";
import { randomFrom } from "./lib/random.mjs";
import { Callers, isAccountRole } from "./openapi/callers.mjs";
import { problemOf } from "./openapi/check.mjs";
import { clientOf } from "./openapi/client.mjs";
import { operationsOf } from "./openapi/description.mjs";
import { poolOf } from "./openapi/pool.mjs";
import { Report, printedFailures } from "./openapi/report.mjs";
import { requestOf } from "./openapi/requests.mjs";
import { isSteady, isUnchanging, mayLeadTo } from "./openapi/steady.mjs";

/** @import { Received } from "./openapi/client.mjs" */
/** @import { Operation } from "./openapi/description.mjs" */
/** @import { Made } from "./openapi/requests.mjs" */

/** Requests after which accounts and settings are made anew; the first part of them are reads alone. */
const GENERATION = { requests: 2000, reads: 0.35 };
/** Of so many reads one is sent twice, while nothing is written. */
const TWICE = 0.3;
/** How often an answer may be another one before it is one each time. */
const TRIES = 3;
/** Operations that can close the service for all others: what they have set is taken back at once. */
const CLOSING = new Set([
  "adminReadOnlySave",
  "adminPermissionsSave",
  "adminBlockSave",
  "adminSpamwordsSave",
]);

/**
 * @typedef {object} Options
 * @property {number} count requests
 * @property {number} seed
 * @property {number} clients requests at a time
 * @property {string} only part of the operations' ids; empty for all
 * @property {string | undefined} log file for all that was found
 */

/** @param {Options} options */
export async function benchOpenApiFuzz(options) {
  await withFuzzTarget(async ({ addresses, token, coversSecret, service }) => {
    await fuzz(addresses.main, { token, coversSecret }, options);
    printedFailures(service.log);
  });
}

/** @param {string} url @param {{ token: string, coversSecret: string }} secrets @param {Options} options */
async function fuzz(url, secrets, { count, seed, clients, only, log }) {
  const run = new Run(url, { ...secrets, seed, clients });
  await run.begin(only);
  while (run.report.requests < count) {
    await run.generation(Math.min(GENERATION.requests, count - run.report.requests));
  }
  run.end();
  run.report.print(run.callers.ruined);
  if (log !== undefined) await writeFile(log, run.report.text());
  if (run.report.problems > 0) process.exitCode = 1;
}

class Run {
  report = new Report();
  #url;
  #secrets;
  #random;
  #clients;
  #client;
  /** @type {Operation[]} */
  #operations = [];
  /** @type {Operation[]} */
  #chosen = [];
  /** @type {any} */
  #document;
  /** @type {import("./openapi/pool.mjs").Pool} */
  #pool = { byName: {}, keys: [], documents: [] };
  /** @type {Map<boolean, Operation[]>} operations whose turn is still to come, reads and all */
  #turns = new Map();

  /** @param {string} url @param {{ token: string, coversSecret: string, seed: number, clients: number }} options */
  constructor(url, { token, coversSecret, seed, clients }) {
    this.#url = url;
    this.#secrets = [token, coversSecret];
    this.#random = randomFrom(seed);
    this.#clients = clients;
    this.#client = clientOf(url, clients);
    this.callers = new Callers({ url, token, coversSecret, random: this.#random });
  }

  /** @param {string} only */
  async begin(only) {
    this.#document = await (await fetch(`${this.#url}/openapi.json`)).json();
    this.#operations = operationsOf(this.#document);
    this.#chosen = this.#operations.filter(({ id }) => id.includes(only));
    console.log(`${this.#operations.length} operations, ${this.#chosen.length} of them asked`);
  }

  end() {
    this.#client.close();
  }

  /** Some thousand requests with the same accounts: first reads alone, then all. @param {number} count */
  async generation(count) {
    await this.callers.renew();
    this.#pool = await poolOf({ url: this.#url, usernames: this.callers.usernames() });
    const reads = Math.round(count * GENERATION.reads);
    await this.#send(reads, true);
    await this.#send(count - reads, false);
    this.report.progress();
  }

  /** @param {number} count @param {boolean} isReading */
  async #send(count, isReading) {
    let left = count;
    const one = async () => {
      while (left > 0) {
        left -= 1;
        await this.#exchange(this.#next(isReading), isReading);
      }
    };
    await Promise.all(Array.from({ length: this.#clients }, one));
  }

  /** Every operation comes once before one comes again. @param {boolean} isReading */
  #next(isReading) {
    const turns = this.#turns.get(isReading) ?? [];
    if (turns.length === 0) {
      const all = this.#chosen.filter(
        ({ method, id }) => !isReading || (method === "GET" && isUnchanging(id)),
      );
      turns.push(...shuffled(all.length === 0 ? this.#chosen : all, this.#random));
      this.#turns.set(isReading, turns);
    }
    return /** @type {Operation} */ (turns.pop());
  }

  /** @param {Operation} operation @param {boolean} isReading */
  async #exchange(operation, isReading) {
    const role = this.callers.roleFor(operation);
    const made = requestOf(operation, { random: this.#random, pool: this.#pool });
    const isTwice = isReading && isSteady(operation.id) && this.#random() < TWICE;
    if (isReading && !["GET", "HEAD"].includes(made.method)) made.method = "GET";
    const request = { ...made, headers: { ...this.callers.headersOf(role), ...made.headers } };
    const received = await this.#client.send(request);
    const world = {
      operations: this.#operations,
      document: this.#document,
      origin: this.#url,
      secrets: this.#secrets,
      mayLeadTo: (/** @type {URL} */ target) => mayLeadTo(operation.id, target),
    };
    const exchange = { operation, request, received };
    this.report.add({ ...exchange, role, problem: problemOf(exchange, world) });
    if (isTwice) await this.#again({ ...exchange, role });
    if (CLOSING.has(operation.id)) await this.callers.settle();
    if (isAccountRole(role) && isToldToLogIn(received, operation)) await this.callers.login(role);
  }

  /**
   * The same request until two answers in a row are alike: caches and queues may be at work the first time. Then with the
   * entity tag, and as a HEAD.
   * @param {{ operation: Operation, request: Made, received: Received, role: string }} exchange
   */
  async #again({ operation, request, received, role }) {
    let before = received;
    const tell = (/** @type {string} */ problem) =>
      this.report.add({ operation, request, received: before, role, problem });
    for (let tries = 0; ; tries += 1) {
      const again = await this.#client.send(request);
      if (again.status === before.status && again.body.equals(before.body)) break;
      before = again;
      if (tries === TRIES) return tell("the same GET gives other bytes");
    }
    const { etag } = before.headers;
    if (before.status === 200 && etag !== undefined && request.method === "GET" && !hasRange(request)) {
      const headers = { ...request.headers, "If-None-Match": etag };
      const known = await this.#client.send({ ...request, headers });
      if (known.status !== 304) tell(`${known.status}, and not 304, to its own entity tag`);
    }
    const head = await this.#client.send({ ...request, method: "HEAD" });
    if (head.status !== before.status && head.status !== 405)
      tell(`${head.status} to HEAD, ${before.status} to GET`);
  }
}

/** @param {Made} request */
function hasRange({ headers }) {
  return headers["Range"] !== undefined;
}

/** @param {Received} received @param {Operation} operation */
function isToldToLogIn({ status, headers }, { asks }) {
  return asks === "session" && (status === 401 || headers.location?.startsWith("/account/login") === true);
}

/** @template T @param {readonly T[]} values @param {() => number} random */
function shuffled(values, random) {
  return values
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

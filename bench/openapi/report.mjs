/** Counts what was answered, by operation, and keeps what was wrong. */

/** @import { Received } from "./client.mjs" */
/** @import { Operation } from "./description.mjs" */
/** @import { Made } from "./requests.mjs" */

/**
 * @typedef {{ operation: Operation, request: Made, received: Received, role: string, problem: string | undefined }}
 * Entry
 */
/** @typedef {{ count: number, example: string }} Problem */

const SHOWN = 60;
const SHOWN_LENGTH = 400;
const SLOWEST = 10;
const PROGRESS_EVERY = 10_000;
const SHOWN_FAILURES = 20;
const FAILURE_LENGTH = 600;

export class Report {
  requests = 0;
  problems = 0;
  #started = performance.now();
  /** @type {Map<string, Map<number, number>>} */
  #byOperation = new Map();
  /** @type {Map<string, Problem>} */
  #problems = new Map();
  /** @type {{ ms: number, what: string }[]} */
  #slowest = [];
  #told = 0;

  /** @param {Entry} entry */
  add({ operation, request, received, role, problem }) {
    this.requests += 1;
    const statuses = this.#byOperation.get(operation.id) ?? new Map();
    statuses.set(received.status, (statuses.get(received.status) ?? 0) + 1);
    this.#byOperation.set(operation.id, statuses);
    const what = `${request.method} ${request.target} as ${role}: ${received.status}`;
    this.#slowest = [...this.#slowest, { ms: received.ms, what }]
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, SLOWEST);
    if (problem === undefined) return;
    this.problems += 1;
    const name = `${operation.id} ${operation.method} ${operation.path}: ${kindOf(problem)}`;
    const known = this.#problems.get(name);
    if (known !== undefined) known.count += 1;
    else this.#problems.set(name, { count: 1, example: exampleOf(what, request, { received, problem }) });
  }

  progress() {
    if (this.requests - this.#told < PROGRESS_EVERY) return;
    this.#told = this.requests;
    console.log(`${this.requests} requests, ${this.problems} problems of ${this.#problems.size} kinds`);
  }

  /** All of it, as lines. */
  text() {
    const problems = [...this.#problems].toSorted(([, a], [, b]) => b.count - a.count);
    const operations = [...this.#byOperation].toSorted(([a], [b]) => a.localeCompare(b));
    return [
      ...problems.map(([name, { count, example }]) => `${count} x ${name}\n    ${example}`),
      ...operations.map(([id, statuses]) => `${id}: ${listed(statuses)}`),
      "",
    ].join("\n");
  }

  /** @param {number} ruined accounts */
  print(ruined) {
    const seconds = (performance.now() - this.#started) / 1000;
    const total = new Map();
    for (const statuses of this.#byOperation.values())
      for (const [status, count] of statuses) total.set(status, (total.get(status) ?? 0) + count);
    console.log(
      `${this.requests} requests to ${this.#byOperation.size} operations in ${seconds.toFixed(0)} s, accounts made anew ${ruined} times because they were ruined`,
    );
    console.log(`statuses: ${listed(total)}`);
    console.log(`operations that never answered 2xx or 3xx: ${this.#unreached().join(", ") || "none"}`);
    console.log("the slowest:");
    for (const { ms, what } of this.#slowest) console.log(`  ${ms.toFixed(0)} ms  ${shown(what)}`);
    console.log(`${this.problems} answers that break the description, of ${this.#problems.size} kinds`);
    const problems = [...this.#problems].toSorted(([, a], [, b]) => b.count - a.count).slice(0, SHOWN);
    for (const [name, { count, example }] of problems)
      console.log(`${count} x ${name}\n    ${shown(example)}`);
  }

  #unreached() {
    return [...this.#byOperation]
      .filter(([, statuses]) => ![...statuses.keys()].some((status) => status >= 200 && status < 400))
      .map(([id]) => id);
  }
}

/** The same problem at different places of a value is one kind. @param {string} problem */
function kindOf(problem) {
  return problem
    .replace(/another site: (https?:\/\/[^/:]+).*/, "another site: $1")
    .replace(/\d+(?=\/|:|$)|\/\d+/g, (text) => (/^\d{3}$/.test(text) ? text : "#"))
    .slice(0, 120);
}

/** @param {string} what @param {Made} request @param {{ received: Received, problem: string }} found */
function exampleOf(what, { headers, body }, { received, problem }) {
  const { Cookie: _cookie, Authorization: _token, ...shownHeaders } = headers;
  const sent = body === undefined ? "" : ` body ${JSON.stringify(body.subarray(0, 300).toString())}`;
  const answer = `${received.headers["content-type"] ?? ""} ${JSON.stringify(received.body.subarray(0, 300).toString())}`;
  return `${problem} | ${what.slice(0, 600)} ${JSON.stringify(shownHeaders).slice(0, 400)}${sent} -> ${answer}`;
}

/** @param {Map<number, number>} statuses */
function listed(statuses) {
  return [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(", ");
}

/** @param {string} text */
function shown(text) {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
}

/** Failures in the log of a service, the first of which are printed. @param {string} log */
export function printedFailures(log) {
  const failures = log.split("\n").filter((line) => /"level":"error"|Uncaught|SIG(?:SEGV|ABRT)/.test(line));
  console.log(`\n${failures.length} failures in the log of the service`);
  for (const failure of failures.slice(0, SHOWN_FAILURES))
    console.log(`  ${failure.slice(0, FAILURE_LENGTH)}`);
  return failures;
}

// Starts Carrel as a newcomer does, with `npm start` and an empty state, looks at all four listeners, stops
// it as with Ctrl-C, and starts it once more. Prints a line per check.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { HOST } from "./lib/runtime.mjs";
import { ServiceProcess, checkPorts, freePorts } from "./lib/service-process.mjs";
import { CHECKS, someWork } from "./lib/smoke-checks.mjs";

/** @import { Urls } from "./lib/smoke-checks.mjs" */

/** How long a start may take, in seconds: one that loads the starter catalog, and a later one. */
const START_SECONDS = { first: 120, later: 20 };
/** What a start prints that fills the state, and one that fills or changes it. */
const LOADED = /loaded the starter catalog: [1-9]\d* records/;
const CHANGED = /loaded the starter catalog|applied \d+ migrations/;

const FLAGS = /** @type {const} */ ({
  main: "port",
  recordStore: "record-store-port",
  search: "search-port",
  covers: "cover-store-port",
});

/** @typedef {{ name: keyof typeof FLAGS, flag: string, port: number, entrypoint: string }} Listener */

const counts = { passed: 0, failed: 0 };

/**
 * Runs a check and prints what came of it; false when it failed.
 * @param {string} name
 * @param {() => unknown} run
 */
async function check(name, run) {
  try {
    await run();
    counts.passed += 1;
    console.log(`passed: ${name}`);
    return true;
  } catch (error) {
    counts.failed += 1;
    console.log(`FAILED: ${name}: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

/**
 * Starts the service, calls `body` while it runs, and stops it as Ctrl-C does.
 * @param {{ name: string, listeners: Listener[], state: string, seconds: number }} options
 * @param {(log: string) => Promise<void>} body
 */
async function whileRunning({ name, listeners, state, seconds }, body) {
  const ports = listeners.flatMap(({ flag, port }) => [`--${flag}`, String(port)]);
  const service = new ServiceProcess("npm", ["start", "--", ...ports, "--state", state]);
  try {
    if (!(await check(`${name} start: ready within ${seconds} s`, () => service.ready(seconds)))) return;
    await body(service.log);
    await check(`${name} stop: ends on SIGINT`, () => service.stop("SIGINT"));
    await check(`${name} stop: leaves no process on the ports`, () => checkPorts(listeners));
  } finally {
    service.kill();
  }
}

/** @param {string} state */
async function smoke(state) {
  const ports = await freePorts(Object.keys(FLAGS).length);
  /** @type {Listener[]} */
  const listeners = Object.entries(FLAGS).map(([name, flag], index) => ({
    name: /** @type {keyof typeof FLAGS} */ (name),
    flag,
    port: ports[index] ?? 0,
    entrypoint: "",
  }));
  const urls = /** @type {Urls} */ (
    Object.fromEntries(listeners.map(({ name, port }) => [name, `http://${HOST}:${port}`]))
  );
  let work = {};
  await whileRunning({ name: "first", listeners, state, seconds: START_SECONDS.first }, async (log) => {
    await check("first start: loads the starter catalog", () => assert.match(log, LOADED));
    for (const [name, run] of Object.entries(CHECKS)) await check(name, () => run(urls));
    await check("a work to find again", async () => (work = await someWork(urls.main)));
  });
  await whileRunning({ name: "second", listeners, state, seconds: START_SECONDS.later }, async (log) => {
    await check("second start: loads nothing again", () => assert.doesNotMatch(log, CHANGED));
    await check("second start: finds its state", async () =>
      assert.deepEqual(await someWork(urls.main), work),
    );
  });
}

const folder = mkdtempSync(path.join(os.tmpdir(), "carrel-smoke-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
// With an exit, rather than an end by the signal, what has been started is ended too.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

await smoke(path.join(folder, "state"));
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

// Starts Carrel as a newcomer does, with `npm start` and an empty state, looks at all four listeners, stops
// it as with Ctrl-C, and starts it once more. Prints a line per check.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { HOST } from "./lib/runtime.ts";
import { ServiceProcess, checkPorts, freePorts } from "./lib/service-process.ts";
import { type Urls, CHECKS, someWork } from "./lib/smoke-checks.ts";

/** Timeouts in seconds of the start that loads the starter catalog, and of later ones. */
const START_SECONDS = { first: 120, later: 20 };
/** Output of a start that fills the state, and of one that fills or changes it. */
const LOADED = /loaded the starter catalog: [1-9]\d* records/;
const CHANGED = /loaded the starter catalog|applied \d+ migrations/;

const FLAGS = {
  main: "port",
  recordStore: "record-store-port",
  search: "search-port",
  covers: "cover-store-port",
} as const;

interface Listener {
  name: keyof typeof FLAGS;
  flag: string;
  port: number;
  entrypoint: string;
}

const counts = { passed: 0, failed: 0 };

/** Runs a check and prints the result. Returns false if it failed. */
async function check(name: string, run: () => unknown) {
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

/** Starts the service, calls `body` while it runs, and stops it with SIGINT. */
async function whileRunning(
  {
    name,
    listeners,
    state,
    seconds,
  }: { name: string; listeners: Listener[]; state: string; seconds: number },
  body: (log: string) => Promise<void>,
) {
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

async function smoke(state: string) {
  const ports = await freePorts(Object.keys(FLAGS).length);
  const listeners: Listener[] = Object.entries(FLAGS).map(([name, flag], index) => ({
    name: name as keyof typeof FLAGS,
    flag,
    port: ports[index] ?? 0,
    entrypoint: "",
  }));
  const urls = Object.fromEntries(
    listeners.map(({ name, port }) => [name, `http://${HOST}:${port}`]),
  ) as Urls;
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
// An exit, unlike the end by a signal, also ends the started service.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

await smoke(path.join(folder, "state"));
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

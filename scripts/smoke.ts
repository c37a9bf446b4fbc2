// Starts Carrel as a newcomer does, with `npm start` and an empty state, looks at all four listeners, stops it as with
// Ctrl-C, and starts it once more. Prints a line per check.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ServiceProcess } from "./lib/service-process.ts";

/** Timeouts in seconds of the start that loads the starter catalog, and of later ones. */
const START_SECONDS = { first: 120, second: 20 };
/** Output of a start that fills the state, and of one that fills or changes it. */
const LOADED = /loaded the starter catalog: [1-9]\d* records/;
const CHANGED = /loaded the starter catalog|applied \d+ migrations/;

/** Addresses of each listener, and what their responses contain. */
const PAGES: [listener: Parameters<ServiceProcess["url"]>[0], path: string, content: RegExp][] = [
  ["main site", "/health", /"status": ?"ok"/],
  ["main site", "/docs", /<html[^]*<\/html>/],
  ["main site", "/query.json?type=/type/work&title=&limit=1", /"\/works\/OL\d+W"/],
  ["record store", "/", /"infobase": ?"welcome"/],
  ["search engine", "/solr/admin/ping", /"status": ?"OK"/],
  ["cover store", "/b/id/999999999-M.jpg", /./],
];

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

const folder = mkdtempSync(path.join(os.tmpdir(), "carrel-smoke-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
// An exit, unlike the end by a signal, also ends the started service.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

for (const [name, seconds] of Object.entries(START_SECONDS)) {
  const options = ["--port", "0", "--state", path.join(folder, "state")];
  const service = new ServiceProcess("npm", ["start", "--", ...options]);
  try {
    if (!(await check(`${name} start: ready within ${seconds} s`, () => service.ready(seconds)))) break;
    await check(`${name} start: loads the starter catalog once`, () =>
      name === "first" ? assert.match(service.log, LOADED) : assert.doesNotMatch(service.log, CHANGED),
    );
    for (const [listener, address, content] of PAGES) {
      await check(`${name} start: ${listener} ${address}`, async () => {
        const response = await fetch(service.url(listener) + address);
        assert.equal(response.status, 200);
        assert.match(await response.text(), content);
      });
    }
    await check(`${name} stop: ends on SIGINT`, () => service.stop("SIGINT"));
    await check(`${name} stop: leaves no process on the ports`, async () => {
      for (const [listener] of PAGES) await assert.rejects(fetch(service.url(listener)), /fetch failed/);
    });
  } finally {
    service.kill();
  }
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

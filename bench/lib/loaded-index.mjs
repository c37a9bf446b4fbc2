// Carrel with a loaded catalog and its index, and the worker of the plain statements beside it.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { LINE_BYTES, openDump, splitLines } from "../../scripts/lib/lines.mjs";
import { batches, sendBatches } from "../../scripts/lib/load-client.mjs";
import { catalogLines } from "./catalog.mjs";
import { TOKEN, startWithPlain } from "./instances.mjs";

/** Another one for a second benchmark beside this one. */
const PORT = Number(process.env["BENCH_PORT"] ?? 28_082);
export const PORTS = { ours: PORT, theirs: PORT + 1 };
export const OURS = `http://127.0.0.1:${PORTS.ours}`;
export const PLAIN = `http://127.0.0.1:${PORTS.theirs}`;

/**
 * @typedef {object} Catalog
 * @property {string[]} dumps files to load; without any the benchmark's own catalog
 * @property {number} works size of its own catalog
 * @property {string | undefined} state folder that keeps the loaded catalog for the next run
 * @property {boolean} [again] whether the index of a kept catalog is built again
 */

/**
 * Starts both, loads the catalog where that has not been done, and stops them after what is run meanwhile.
 * @param {Catalog} catalog
 * @param {(works: number) => Promise<void>} run is given how many works the index has
 */
export async function withLoadedIndex({ dumps, works, state, again = false }, run) {
  const folder = state ?? (await mkdtemp(path.join(os.tmpdir(), "carrel-bench-")));
  await mkdir(folder, { recursive: true });
  const instance = await startWithPlain({ port: PORTS.ours, plainPort: PORTS.theirs, state: folder });
  try {
    const mark = path.join(folder, "loaded");
    if (!existsSync(mark)) {
      await load(dumps, works);
      await writeFile(mark, "");
      await rebuild();
    } else if (again) await rebuild();
    const counts = await countsOf();
    console.log(`\n${counts.works} works in the index`);
    await run(counts.works);
  } finally {
    await instance.stop();
    if (state === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string[]} dumps
 * @param {number} works
 */
async function load(dumps, works) {
  const started = performance.now();
  let lines = 0;
  /** @type {import("../../scripts/lib/service.mjs").Target} */
  const target = { url: OURS, token: TOKEN, fetch, index: "later" };
  await sendBatches(batches(linesOf(dumps, works)), target, {
    onDone: (_outcome, { numbers }) => (lines += numbers.length),
  });
  const seconds = (performance.now() - started) / 1000;
  console.log(`loaded ${lines} lines: ${Math.round(lines / seconds)}/s`);
}

/**
 * @param {string[]} dumps
 * @param {number} works
 */
async function* linesOf(dumps, works) {
  let number = 0;
  if (dumps.length === 0) {
    for (const text of catalogLines(works)) yield { number: (number += 1), text: Buffer.from(text) };
  }
  for (const dump of dumps) {
    for await (const { text: line } of splitLines(openDump(dump).stream)) {
      if (line !== undefined && line.length <= LINE_BYTES) yield { number: (number += 1), text: line };
    }
  }
}

/** @returns {Promise<{ works: number, bytes: number }>} */
async function countsOf() {
  return JSON.parse(await (await fetch(`${PLAIN}/counts`)).text());
}

/** Rebuilds the index by its public steps and tells the rate of works. */
async function rebuild() {
  const started = performance.now();
  let step = await post("/system/reindex", { restart: true });
  while (!step.finished) step = await post("/system/reindex", {});
  const seconds = (performance.now() - started) / 1000;
  const { works, bytes } = await countsOf();
  console.log(
    `index of ${works} works built in ${seconds.toFixed(1)} s: ${Math.round(works / seconds)} works/s`,
  );
  console.log(`  ${((bytes / works) * 1e-3).toFixed(2)} GB on disk per million works, both generations`);
}

export function authorization() {
  return { Authorization: `Bearer ${TOKEN}` };
}

/**
 * @param {string} route
 * @param {object} body
 */
async function post(route, body) {
  const options = { method: "POST", headers: authorization(), body: JSON.stringify(body) };
  const response = await fetch(OURS + route, options);
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
  return JSON.parse(await response.text());
}

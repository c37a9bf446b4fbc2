// Carrel with a loaded catalog and its index, in D1 or in a Solr, and the worker of the plain statements beside it.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { sideBySide } from "../../scripts/lib/index-client.mjs";
import { LINE_BYTES, openDump, splitLines } from "../../scripts/lib/lines.mjs";
import { batches, sendBatches } from "../../scripts/lib/load-client.mjs";
import { setUpSolr } from "../../scripts/lib/solr-setup.mjs";
import { startSolrCloud } from "../../scripts/lib/solr-cloud.mjs";
import { catalogLines } from "./catalog.mjs";
import { factsOfPlain, factsOfSolr } from "./index-facts.mjs";
import { TOKEN, startWithPlain } from "./instances.mjs";

/** @import { IndexFacts } from "./index-facts.mjs" */

/** What the names of the collections begin with. */
const COLLECTION = "bench";
/** Calls of a rebuild side by side: while one waits for Solr, another one builds. D1 is on the thread of them all. */
const AT_ONCE = { d1: 1, solr: 3 };
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
 * @property {string | undefined} [solr] address of the Solr that has the index, or "start"; without it the index is in D1
 * @property {string | undefined} [heap] of a Solr that is started
 */
/**
 * @typedef {object} Loaded
 * @property {number} works in the index
 * @property {IndexFacts} facts what it can be asked for
 */

/**
 * Starts both, loads the catalog where that has not been done, and stops them after what is run meanwhile.
 * @param {Catalog} catalog
 * @param {(loaded: Loaded) => Promise<void>} run
 */
export async function withLoadedIndex({ dumps, works, state, again = false, solr, heap }, run) {
  const folder = state ?? (await mkdtemp(path.join(os.tmpdir(), "carrel-bench-")));
  await mkdir(folder, { recursive: true });
  const cloud = solr === "start" ? await startSolrCloud(heap === undefined ? {} : { heap }) : undefined;
  const url = cloud?.nodes[0]?.url ?? solr;
  if (url !== undefined) await setUpSolr({ url, collection: COLLECTION });
  /** @type {Record<string, string>} */
  const vars = url === undefined ? {} : { SEARCH_ENGINE: "solr", SOLR_URL: url, SOLR_COLLECTION: COLLECTION };
  const instance = await startWithPlain({ port: PORTS.ours, plainPort: PORTS.theirs, state: folder, vars });
  const facts = url === undefined ? factsOfPlain(PLAIN) : factsOfSolr(url, liveCollection);
  try {
    const mark = path.join(folder, "loaded");
    if (!existsSync(mark)) {
      await load(dumps, works);
      await writeFile(mark, "");
    }
    if (again || (await facts.counts()).works === 0) {
      await rebuild(facts, url === undefined ? AT_ONCE.d1 : AT_ONCE.solr);
      console.log(`  workerd ${gigabytes(instance.memory())}${url === undefined ? "" : await heapOf(url)}`);
    }
    const counts = await facts.counts();
    console.log(`\n${counts.works} works in the index`);
    await run({ works: counts.works, facts });
  } finally {
    await instance.stop();
    await cloud?.stop();
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

/** The collection of the generation that answers. */
async function liveCollection() {
  return `${COLLECTION}_${(await post("/system/reindex", {})).live}`;
}

/** What a Solr uses and may use of its heap. @param {string} url */
async function heapOf(url) {
  const { jvm } = Object(await (await fetch(`${url}/admin/info/system?wt=json`)).json());
  const { used, max } = jvm.memory.raw;
  return `, heap of Solr ${gigabytes(used)} of ${gigabytes(max)}`;
}

/** @param {number} bytes */
function gigabytes(bytes) {
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

/**
 * Rebuilds the index by its public steps and tells the rate of works, and how long each tenth of the records took.
 * @param {IndexFacts} facts
 * @param {number} atOnce calls side by side, where a step can be parted
 */
async function rebuild(facts, atOnce) {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  let step = await post("/system/reindex", { restart: true });
  let { phase } = step;
  let [tenth, before] = [1, { done: 0, seconds: 0 }];
  while (!step.finished) {
    step = await sideBySide(() => post("/system/reindex", {}), Math.min(atOnce, step.ranges));
    if (step.phase !== phase) console.log(`  ${phase} until ${seconds().toFixed(0)} s`);
    phase = step.phase;
    if (step.done < (tenth * step.total) / 10) continue;
    const rate = (step.done - before.done) / (seconds() - before.seconds);
    console.log(`  tenth ${tenth} of the records (${phase}): ${Math.round(rate)} records/s`);
    [tenth, before] = [tenth + 1, { done: step.done, seconds: seconds() }];
  }
  const took = seconds();
  const { works, bytes } = await facts.counts();
  console.log(`index of ${works} works built in ${took.toFixed(1)} s: ${Math.round(works / took)} works/s`);
  console.log(`  ${((bytes / works) * 1e-3).toFixed(2)} GB on disk per million works`);
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

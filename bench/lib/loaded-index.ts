// Carrel with a loaded catalog and its index, in D1 or in a Solr, and the worker of the plain statements beside it.
import os from "node:os";
import path from "node:path";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { sideBySide } from "../../scripts/lib/index-client.ts";
import { LINE_BYTES, openDump, splitLines } from "../../scripts/lib/lines.ts";
import { batches, sendBatches } from "../../scripts/lib/load-client.ts";
import { setUpSolr } from "../../scripts/lib/solr-setup.ts";
import { startSolrCloud } from "../../scripts/lib/solr-cloud.ts";
import { fetchJson } from "./client.ts";
import { catalogLines } from "./catalog.ts";
import { largeLines } from "./hostile-records.ts";
import { type IndexFacts, readPlainFacts, readSolrFacts } from "./index-facts.ts";
import { TOKEN, startCarrel } from "./instances.ts";
import type { Target } from "../../scripts/lib/service.ts";

/** Prefix of the collection names. */
const COLLECTION = "bench";
/**
 * Concurrent calls of a rebuild: while one waits for Solr, another builds. D1 shares its thread with them.
 */
const AT_ONCE = { d1: 1, solr: 3 };
/** Set `BENCH_PORT` to run a second benchmark at the same time. */
const PORT = Number(process.env["BENCH_PORT"] ?? 28_082);
export const PORTS = { ours: PORT, theirs: PORT + 1 };
export const OURS = `http://127.0.0.1:${PORTS.ours}`;
export const PLAIN = `http://127.0.0.1:${PORTS.theirs}`;

export interface Catalog {
  /** Dump files to load; empty: the synthetic catalog. */
  dumps: string[];
  /** Size of the synthetic catalog. */
  works: number;
  /** True: also loads works that are as large as they can be. */
  hasLarge?: boolean;
  /** Folder that keeps the loaded catalog for the next run. */
  state: string | undefined;
  /** True: rebuilds the index of a kept catalog. */
  again?: boolean;
  /** URL of the Solr with the index, or "start"; absent: the index is in D1. */
  solr?: string | undefined;
  /** Heap of a Solr that is started. */
  heap?: string | undefined;
}
export interface Loaded {
  /** Works in the index. */
  works: number;
  facts: IndexFacts;
}

/** Starts both services, loads the catalog unless the state has it, calls `run`, and stops the services. */
export async function withLoadedIndex(
  { dumps, works, hasLarge = false, state, again = false, solr, heap }: Catalog,
  run: (loaded: Loaded) => Promise<void>,
) {
  const folder = state ?? (await mkdtemp(path.join(os.tmpdir(), "carrel-bench-")));
  await mkdir(folder, { recursive: true });
  const cloud = solr === "start" ? await startSolrCloud(heap === undefined ? {} : { heap }) : undefined;
  const url = cloud?.nodes[0]?.url ?? solr;
  if (url !== undefined) await setUpSolr({ url, collection: COLLECTION });
  const vars: Record<string, string> =
    url === undefined ? {} : { SEARCH_ENGINE: "solr", SOLR_URL: url, SOLR_COLLECTION: COLLECTION };
  const instance = await startCarrel(PORTS.ours, { plainPort: PORTS.theirs, state: folder, vars });
  const facts = url === undefined ? readPlainFacts(PLAIN) : readSolrFacts(url, liveCollection);
  try {
    const mark = path.join(folder, "loaded");
    if (!existsSync(mark)) {
      await load(linesOf(dumps, works, hasLarge));
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

async function load(catalog: ReturnType<typeof linesOf>) {
  const started = performance.now();
  let lines = 0;
  const target: Target = { url: OURS, token: TOKEN, fetch, index: "later" };
  await sendBatches(batches(catalog), target, {
    onDone: (_outcome, { numbers }) => (lines += numbers.length),
  });
  const seconds = (performance.now() - started) / 1000;
  console.log(`loaded ${lines} lines: ${Math.round(lines / seconds)}/s`);
}

async function* linesOf(dumps: string[], works: number, hasLarge: boolean) {
  let number = 0;
  for (const text of hasLarge ? largeLines() : []) yield { number: (number += 1), text: Buffer.from(text) };
  if (dumps.length === 0) {
    for (const text of catalogLines(works)) yield { number: (number += 1), text: Buffer.from(text) };
  }
  for (const dump of dumps) {
    for await (const { text: line } of splitLines(openDump(dump).stream)) {
      if (line !== undefined && line.length <= LINE_BYTES) yield { number: (number += 1), text: line };
    }
  }
}

/** Returns the name of the active collection. */
async function liveCollection() {
  return `${COLLECTION}_${(await post("/system/reindex", {})).live}`;
}

/** Returns the used and the maximum heap of a Solr. */
async function heapOf(url: string) {
  const { jvm } = await fetchJson(`${url}/admin/info/system?wt=json`);
  const { used, max } = jvm.memory.raw;
  return `, heap of Solr ${gigabytes(used)} of ${gigabytes(max)}`;
}

function gigabytes(bytes: number) {
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

/**
 * Rebuilds the index by its public steps, and prints the rate of works and of each tenth of the records.
 * `atOnce`: concurrent calls, where a step can be split.
 */
async function rebuild(facts: IndexFacts, atOnce: number) {
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

function post(route: string, body: object) {
  return fetchJson(OURS + route, { method: "POST", headers: authorization(), body: JSON.stringify(body) });
}

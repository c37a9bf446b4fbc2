// Search against the plain FTS5 statement on the same index, in one run: `npm run bench -- search`.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { LINE_BYTES, openDump, splitLines } from "../scripts/lib/lines.mjs";
import { batches, sendBatches } from "../scripts/lib/load-client.mjs";
import { catalogLines } from "./lib/catalog.mjs";
import { TOKEN, startWithPlain } from "./lib/instances.mjs";
import { latencies, times } from "./lib/latency.mjs";
import { searchQuestions } from "./lib/search-questions.mjs";

/** @import { Times } from "./lib/latency.mjs" */

/** Writes whose way into search is timed, and the wait between two looks, in milliseconds. */
const WRITES = 200;
const LOOK_EVERY_MS = 10;
/** Documents inserted to measure bare inserts. */
const BARE_DOCUMENTS = 20_000;
const BARE_BATCH = 500;

/** Another one for a second benchmark beside this one. */
const PORT = Number(process.env["BENCH_PORT"] ?? 28_082);
const PORTS = { ours: PORT, theirs: PORT + 1 };
const OURS = `http://127.0.0.1:${PORTS.ours}`;
const PLAIN = `http://127.0.0.1:${PORTS.theirs}`;

/**
 * @typedef {object} Options
 * @property {string[]} dumps files to load; without any the benchmark's own catalog
 * @property {number} works size of its own catalog
 * @property {string | undefined} log requests as lines of JSON with `kind` and `q`
 * @property {string | undefined} state folder that keeps the loaded catalog for the next run
 * @property {string} only parts to run: index, latency, freshness
 * @property {string} kind only classes of queries whose names contain this
 */

/** @param {Options} options */
export async function benchSearch({ dumps, works, log, state, only, kind }) {
  const folder = state ?? (await mkdtemp(path.join(os.tmpdir(), "carrel-bench-")));
  await mkdir(folder, { recursive: true });
  const instance = await startWithPlain({ port: PORTS.ours, plainPort: PORTS.theirs, state: folder });
  try {
    const mark = path.join(folder, "loaded");
    if (!existsSync(mark)) {
      await load(dumps, works);
      await writeFile(mark, "");
      await rebuild();
    } else if (only.includes("index")) await rebuild();
    const counts = await countsOf();
    console.log(`\n${counts.works} works in the index`);
    if (only.includes("index")) await bareInserts();
    if (only.includes("latency")) await latency(counts.works, { log, kind });
    if (only.includes("freshness")) await freshness();
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
  /** @type {import("../scripts/lib/service.mjs").Target} */
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

async function bareInserts() {
  let after = 0;
  let inserted = 0;
  let spent = 0;
  await fetch(`${PLAIN}/bare/new`, { method: "POST" });
  while (inserted < BARE_DOCUMENTS) {
    const documents = await (await fetch(`${PLAIN}/documents?after=${after}&count=${BARE_BATCH}`)).text();
    /** @type {{ id: number }[]} */
    const rows = JSON.parse(documents);
    if (rows.length === 0) break;
    const started = performance.now();
    const answer = await fetch(`${PLAIN}/bare`, { method: "POST", body: documents });
    if (!answer.ok) throw new Error(`bare inserts: ${answer.status}`);
    spent += performance.now() - started;
    inserted += rows.length;
    after = rows.at(-1)?.id ?? Number.MAX_SAFE_INTEGER;
  }
  console.log(`bare inserts of a row and an FTS5 row each: ${Math.round(inserted / (spent / 1000))} works/s`);
}

/**
 * @param {number} works
 * @param {Pick<Options, "log" | "kind">} options
 */
async function latency(works, { log, kind }) {
  const classes = await searchQuestions({ plain: PLAIN, works, log });
  console.log("p50 / p95 / p99 in ms: Carrel, plain statement, ratio of the p50 (p95, p99)");
  for (const [name, questions] of Object.entries(classes)) {
    if (questions.length === 0 || !name.includes(kind)) continue;
    const { ours, theirs, refused } = await latencies(PORTS, questions);
    const problem = refused === 0 ? "" : `, ${refused} not answered with 200`;
    const ratio = (/** @type {keyof Times} */ at) => (ours[at] / theirs[at]).toFixed(2);
    console.log(
      `${name} (${questions.length}): ${described(ours)}, ${described(theirs)}, ratio ${ratio("p50")} (${ratio("p95")}, ${ratio("p99")})${problem}`,
    );
  }
}

/** @param {Times} values */
function described({ p50, p95, p99 }) {
  return [p50, p95, p99].map((value) => value.toFixed(1)).join(" / ");
}

/** Time from the answer to a write until a search finds it. */
async function freshness() {
  /** @type {number[]} */
  const waits = [];
  for (let n = 0; n < WRITES; n += 1) {
    const word = `fresh${String(process.pid)}x${n}`;
    const key = `/works/OL${900_000_000 + process.pid * 1000 + n}W`;
    const time = { type: "/type/datetime", value: "2026-01-01T00:00:00.000000" };
    const document = {
      key,
      type: { key: "/type/work" },
      title: `A ${word}`,
      revision: 1,
      latest_revision: 1,
    };
    const line = JSON.stringify({ ...document, created: time, last_modified: time });
    const body = ["/type/work", key, 1, time.value, line].join("\t");
    await fetch(`${OURS}/system/load`, { method: "POST", headers: authorization(), body });
    const written = performance.now();
    while (!(await isFound(word))) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    waits.push(performance.now() - written);
  }
  const { p50, p95, p99 } = times(waits);
  console.log(
    `write to search hit over ${WRITES} writes: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  );
}

/** @param {string} word */
async function isFound(word) {
  const answer = await (await fetch(`${OURS}/search.json?q=${word}&fields=key`)).text();
  return answer.includes("/works/");
}

function authorization() {
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

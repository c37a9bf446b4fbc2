// Compares isolates that start with the deployed bundle and with a bare Hono worker: CPU time to compile and evaluate the
// main module, then CPU time and latency of the first responses: `npm run bench -- startup [--rounds 5]`.
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { Log, LogLevel, Miniflare, convertV4MiniflareOptions } from "miniflare";
import { bundleForDeploy } from "../scripts/lib/bundle.ts";
import { readConfig } from "../scripts/lib/config.ts";
import { updateIndex } from "../scripts/lib/index-client.ts";
import { batches, numbered, sendBatches } from "../scripts/lib/load-client.ts";
import { BUNDLE, DEPLOYED_BUNDLE, ROOT } from "../scripts/lib/paths.ts";
import { HOST } from "../scripts/lib/runtime.ts";
import type { Target } from "../scripts/lib/service.ts";
import { catalogLines, isbn13 } from "./lib/catalog.ts";
import { TOKEN, startCarrel, workerdCpuMs } from "./lib/instances.ts";

/** A module of a worker, as Miniflare takes it. */
interface Module {
  type: "ESModule" | "CompiledWasm";
  path: string;
  contents: string | Buffer<ArrayBuffer>;
}

/** CPU time of all threads and elapsed time, in milliseconds. */
interface Cost {
  cpu: number;
  elapsed: number;
}

const BARE = `import { Hono } from "hono";
const app = new Hono();
for (let n = 0; n < 10; n += 1) app.get("/route" + n + "/:id", (c) => c.json({ id: c.req.param("id") }));
app.get("/row/:id", async (c) => c.json(await c.env.CATALOG.prepare("SELECT ?1 AS id").bind(c.req.param("id")).first()));
export default app;`;
/** Imports the worker on the first request, so that its evaluation can be measured alone. */
const ENTRY = `export default { async fetch() { await import("./${BUNDLE}"); return new Response("evaluated"); } };`;

const PORT = 28_084;
const WORKS = 100;
const FIRST_REQUESTS = [
  ["a record", "/works/OL1W.json"],
  ["a lookup", `/api/books.json?bibkeys=${isbn13(1)}`],
  ["a search", "/search.json?q=history"],
  ["a page", "/works/OL1W"],
] as const;

export async function benchStartup({ rounds }: { rounds: number }) {
  const { main, compatibility_flags: flags = [] } = await readConfig();
  await bundleForDeploy(main);
  const carrel = await modulesIn(DEPLOYED_BUNDLE);
  const bare: Module[] = [{ type: "ESModule", path: BUNDLE, contents: await bundleBare() }];
  printSize(carrel);
  await compareEvaluation({ carrel, bare, flags, rounds });
  await compareFirstAnswers(bare, rounds);
}

/** Prints the size of the bundle, compressed as a whole, as the platform's limit counts it. */
function printSize(modules: Module[]) {
  const all = Buffer.concat(modules.map(({ contents }) => Buffer.from(contents)));
  const [size, compressed] = [all.length, gzipSync(all).length].map((bytes) => Math.round(bytes / 1024));
  console.log(`bundle: ${modules.length} modules, ${size} KiB, ${compressed} KiB compressed`);
}

async function compareEvaluation({
  carrel,
  bare,
  flags,
  rounds,
}: {
  carrel: Module[];
  bare: Module[];
  flags: string[];
  rounds: number;
}) {
  const times: { ours: number; theirs: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    times.push({ ours: await evaluate(carrel, flags), theirs: await evaluate(bare, flags) });
  const [ours, theirs] = [median(times.map((one) => one.ours)), median(times.map((one) => one.theirs))];
  console.log(
    `evaluating the bundle: ${ours.toFixed(0)} ms of CPU, ten routes of Hono: ${theirs.toFixed(1)} ms`,
  );
  console.log(`  ratio ${ratioText(times)}`);
}

/** Compares the first answers of new isolates, evaluation left out: the databases are open. */
async function compareFirstAnswers(bare: Module[], rounds: number) {
  const state = await mkdtemp(path.join(os.tmpdir(), "carrel-startup-"));
  try {
    await fill(state);
    const costs: { ours: Cost[]; theirs: Cost }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const ours: Cost[] = [];
      for (const [, address] of FIRST_REQUESTS) ours.push(await firstAnswer(state, address));
      costs.push({ ours, theirs: await firstBareAnswer(bare) });
    }
    for (const [index, [name]] of FIRST_REQUESTS.entries()) {
      const pairs = costs.flatMap(({ ours, theirs }) =>
        ours.slice(index, index + 1).map((own) => ({ own, theirs })),
      );
      const cpu = pairs.map(({ own, theirs }) => ({ ours: own.cpu, theirs: theirs.cpu }));
      const times = pairs.map(({ own, theirs }) => [own.elapsed, theirs.elapsed] as const);
      console.log(
        `first answer, ${name}: ${median(cpu.map(({ ours }) => ours)).toFixed(0)} ms of CPU, ` +
          `${median(times.map(([own]) => own)).toFixed(0)} ms; one row by Hono: ` +
          `${median(cpu.map(({ theirs }) => theirs)).toFixed(1)} ms, ${median(times.map(([, their]) => their)).toFixed(1)} ms`,
      );
      console.log(`  ratio of CPU ${ratioText(cpu)}`);
    }
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

async function fill(state: string) {
  const carrel = await startCarrel(PORT, { state });
  try {
    const target: Target = { url: carrel.url, token: TOKEN, fetch, index: "later" };
    await sendBatches(batches(numbered(catalogLines(WORKS))), target, { onDone: () => undefined });
    await updateIndex(target, { quiet: true });
  } finally {
    await carrel.stop();
  }
}

async function firstAnswer(state: string, address: string): Promise<Cost> {
  const carrel = await startCarrel(PORT, { state, bundle: DEPLOYED_BUNDLE, consumers: false });
  try {
    return await costOf(carrel.url + address);
  } finally {
    await carrel.stop();
  }
}

async function firstBareAnswer(modules: Module[]): Promise<Cost> {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: HOST,
      log: new Log(LogLevel.WARN),
      cf: false,
      compatibilityDate: "2026-08-01",
      modulesRoot: "/",
      modules,
      d1Databases: { CATALOG: "bare" },
      unsafeDirectSockets: [{ host: HOST, port: PORT, entrypoint: "default" }],
    }),
  );
  try {
    await runtime.ready;
    await (await runtime.getD1Database("CATALOG")).prepare("SELECT 1").run();
    return await costOf(`http://${HOST}:${PORT}/row/1`);
  } finally {
    await runtime.dispose();
  }
}

async function costOf(address: string): Promise<Cost> {
  const [cpu, started] = [workerdCpuMs(), performance.now()];
  const response = await fetch(address);
  const text = await response.text();
  const elapsed = performance.now() - started;
  if (!response.ok) throw new Error(`${address}: ${response.status} ${text}`);
  return { cpu: workerdCpuMs() - cpu, elapsed };
}

async function modulesIn(folder: string): Promise<Module[]> {
  const names = (await readdir(folder)).filter((name) => /\.(?:js|wasm)$/.test(name));
  return Promise.all(
    names.map(async (name) => {
      const contents = await readFile(path.join(folder, name));
      return name.endsWith(".wasm")
        ? { type: "CompiledWasm", path: name, contents }
        : { type: "ESModule", path: name, contents: contents.toString() };
    }),
  );
}

async function bundleBare() {
  const stdin = { contents: BARE, resolveDir: ROOT };
  const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false });
  return outputFiles[0]?.text ?? "";
}

/** Evaluates a worker in a new process and returns the CPU time in milliseconds, of all threads. */
async function evaluate(modules: Module[], flags: string[]) {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      log: new Log(LogLevel.WARN),
      cf: false,
      compatibilityDate: "2026-08-01",
      compatibilityFlags: flags,
      modulesRoot: "/",
      modules: [{ type: "ESModule", path: "entry.mjs", contents: ENTRY }, ...modules],
    }),
  );
  try {
    await runtime.ready;
    const before = workerdCpuMs();
    const response = await runtime.dispatchFetch("http://localhost/");
    if (!response.ok) throw new Error(await response.text());
    return workerdCpuMs() - before;
  } finally {
    await runtime.dispose();
  }
}

function ratioText(pairs: { ours: number; theirs: number }[]) {
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs).toSorted((a, b) => a - b);
  return `${median(ratios).toFixed(1)} (${ratios[0]?.toFixed(1)} to ${ratios.at(-1)?.toFixed(1)})`;
}

function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

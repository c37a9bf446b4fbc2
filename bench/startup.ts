// CPU time of compiling and evaluating the main module of the deployed bundle in a new isolate, against a Hono worker with ten routes:
// `npm run bench -- startup [--rounds 5]`.
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { Log, LogLevel, Miniflare, convertV4MiniflareOptions } from "miniflare";
import { bundleForDeploy } from "../scripts/lib/bundle.ts";
import { readConfig } from "../scripts/lib/config.ts";
import { BUNDLE, DEPLOYED_BUNDLE, ROOT } from "../scripts/lib/paths.ts";
import { workerdCpuMs } from "./lib/instances.ts";

/** A module of a worker, as Miniflare takes it. */
interface Module {
  type: "ESModule" | "CompiledWasm";
  path: string;
  contents: string | Buffer<ArrayBuffer>;
}

const BARE = `import { Hono } from "hono";
const app = new Hono();
for (let n = 0; n < 10; n += 1) app.get("/route" + n + "/:id", (c) => c.json({ id: c.req.param("id") }));
export default app;`;
/** Imports the worker on the first request, so that its evaluation can be measured alone. */
const ENTRY = `export default { async fetch() { await import("./${BUNDLE}"); return new Response("evaluated"); } };`;

export async function benchStartup({ rounds }: { rounds: number }) {
  const { main, compatibility_flags: flags = [] } = await readConfig();
  await bundleForDeploy(main);
  const carrel = await modulesIn(DEPLOYED_BUNDLE);
  const bare: Module[] = [{ type: "ESModule", path: BUNDLE, contents: await bundleBare() }];
  const times: { carrel: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    times.push({ carrel: await evaluate(carrel, flags), bare: await evaluate(bare, flags) });
  const [ours, theirs] = [median(times.map((one) => one.carrel)), median(times.map((one) => one.bare))];
  const ratios = times.map((one) => one.carrel / one.bare).toSorted((a, b) => a - b);
  console.log(
    `evaluating the bundle: ${ours.toFixed(0)} ms of CPU, ten routes of Hono: ${theirs.toFixed(1)} ms`,
  );
  console.log(
    `  ratio ${median(ratios).toFixed(1)} (${ratios[0]?.toFixed(1)} to ${ratios.at(-1)?.toFixed(1)})`,
  );
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

function median(values: number[]) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

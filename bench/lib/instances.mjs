import { mkdtemp, rm } from "node:fs/promises";
import { readFileSync, readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { Log, LogLevel, Miniflare, convertV4MiniflareOptions } from "miniflare";
import { bundler, requiredModules } from "../../scripts/lib/bundle.mjs";
import { readConfig } from "../../scripts/lib/config.mjs";
import { migrate } from "../../scripts/lib/state.mjs";
import { ROOT } from "../../scripts/lib/paths.mjs";
import { HOST, runtimeOptions } from "../../scripts/lib/runtime.mjs";

export const TOKEN = "token-of-the-benchmark";

const VARS = {
  ENVIRONMENT: "development",
  LOAD_TOKEN: TOKEN,
  SESSION_SECRET: "secret-of-the-sessions-of-the-benchmark",
  RATE_LIMIT_PER_MINUTE: "600000000",
  EDGE_CACHE: "off",
};

/**
 * A running service under measurement. `memory`: resident bytes of all workerd processes of this program.
 * @typedef {{ port: number, url: string, runtime: Miniflare, state: string, memory: () => number, stop: () => Promise<void> }} Instance
 */

/**
 * Carrel with an empty state of its own and no limit on requests.
 * @param {number} port
 * @param {{ vars?: Record<string, string>, consumers?: boolean, catalog?: string | undefined, main?: string }} [options]
 * `consumers`: false leaves the queues alone, as if what follows a change ran on another machine; `catalog`: address of a
 * PostgreSQL; `main`: another worker
 * @returns {Promise<Instance>}
 */
export async function startCarrel(port, { vars = {}, consumers = true, catalog, main } = {}) {
  const state = await mkdtemp(path.join(os.tmpdir(), "carrel-bench-"));
  const config = await readConfig();
  if (!consumers) config.queues.consumers = [];
  const bundle = await bundler({ main: main ?? config.main });
  await bundle.dispose();
  const options = { state, bundle: bundle.folder, vars: { ...VARS, ...vars } };
  const place = catalog === undefined ? {} : { catalog: { primary: catalog } };
  const listeners = [{ entrypoint: "MainSite", name: "main site", flag: "port", port }];
  const runtime = new Miniflare(runtimeOptions(config, { ...options, ...place, listeners }));
  await migrate(runtime, config);
  return instance(runtime, port, state);
}

/**
 * Carrel on a state that is kept, with the worker of the plain statements beside it on the same index.
 * @param {{ port: number, plainPort: number, state: string, vars?: Record<string, string> }} options
 * @returns {Promise<Instance>}
 */
export async function startWithPlain({ port, plainPort, state, vars = {} }) {
  const config = await readConfig();
  const bundle = await bundler({ main: config.main });
  await bundle.dispose();
  const scriptPath = await bundleOf("plain");
  const ids = new Map(config.d1_databases.map((one) => [one.binding, one.database_id]));
  const plain = {
    name: "plain",
    modules: true,
    rootPath: ROOT,
    modulesRoot: path.dirname(scriptPath),
    scriptPath,
    compatibilityDate: "2026-08-01",
    d1Databases: {
      SEARCH: ids.get("SEARCH") ?? "",
      CATALOG: ids.get("CATALOG") ?? "",
      SCRATCH: "scratch",
    },
    unsafeDirectSockets: [{ host: HOST, port: plainPort, entrypoint: "default" }],
  };
  const listeners = [{ entrypoint: "MainSite", name: "main site", flag: "port", port }];
  const options = { state, bundle: bundle.folder, vars: { ...VARS, ...vars }, listeners, more: [plain] };
  const runtime = new Miniflare(runtimeOptions(config, options));
  await migrate(runtime, config);
  return { ...instance(runtime, port, state), stop: () => runtime.dispose() };
}

/**
 * Bundles one of the workers that Carrel is measured against.
 * @param {"baseline" | "plain" | "object" | "marc" | "r2"} name
 */
async function bundleOf(name) {
  const outfile = path.join(ROOT, `dist/bench/${name}.js`);
  await build({
    entryPoints: [path.join(ROOT, `bench/${name}/worker.ts`)],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    mainFields: ["workerd", "module", "main"],
    external: ["cloudflare:*", "node:*", "pg-native"],
    plugins: [requiredModules],
  });
  return outfile;
}

/**
 * The bare Hono worker.
 * @param {number} port
 * @param {string} [postgres] address of its database, if that is no D1
 * @returns {Promise<Instance>}
 */
export async function startBaseline(port, postgres) {
  const started = await startBare("baseline", port, {
    d1Databases: { CATALOG: "baseline" },
    compatibilityFlags: ["nodejs_compat"],
    ...(postgres !== undefined && { hyperdrives: { CATALOG_POSTGRES: postgres } }),
  });
  await fetch(`${started.url}/schema`, { method: "POST" });
  return started;
}

/**
 * The bare worker with a Durable Object of one table.
 * @param {number} port
 */
export function startObject(port) {
  return startBare("object", port, { durableObjects: { BARE: { className: "Bare", useSQLite: true } } });
}

/**
 * The worker that reads MARC, by Carrel's parser and by another.
 * @param {number} port
 */
export function startMarc(port) {
  return startBare("marc", port, { compatibilityFlags: ["nodejs_compat"] });
}

/**
 * The bare worker with a bucket.
 * @param {number} port
 */
export function startR2(port) {
  return startBare("r2", port, { r2Buckets: { BUCKET: "bare" } });
}

/**
 * @param {"baseline" | "object" | "marc" | "r2"} name
 * @param {number} port
 * @param {object} bindings
 * @returns {Promise<Instance>}
 */
async function startBare(name, port, bindings) {
  const state = await mkdtemp(path.join(os.tmpdir(), `carrel-${name}-`));
  const outfile = await bundleOf(name);
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: HOST,
      port: 0,
      cf: false,
      log: new Log(LogLevel.WARN),
      resourcePersistencePath: state,
      workers: [
        {
          name,
          modules: true,
          rootPath: ROOT,
          modulesRoot: path.dirname(outfile),
          scriptPath: outfile,
          compatibilityDate: "2026-08-01",
          unsafeDirectSockets: [{ host: HOST, port, entrypoint: "default" }],
          ...bindings,
        },
      ],
    }),
  );
  await runtime.ready;
  return instance(runtime, port, state);
}

/**
 * @param {Miniflare} runtime
 * @param {number} port
 * @param {string} state
 * @returns {Instance}
 */
function instance(runtime, port, state) {
  return {
    port,
    url: `http://${HOST}:${port}`,
    runtime,
    state,
    memory: workerdBytes,
    stop: async () => {
      await runtime.dispose();
      await rm(state, { recursive: true, force: true });
    },
  };
}

function workerdBytes() {
  let bytes = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const isOurs =
        /^Name:\s*workerd/m.test(status) && new RegExp(`^PPid:\\s*${process.pid}$`, "m").test(status);
      if (isOurs) bytes += Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
    } catch (error) {
      // A process that has ended meanwhile.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
  return bytes;
}

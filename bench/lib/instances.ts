import { mkdtemp, rm } from "node:fs/promises";
import { readFileSync, readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { Log, LogLevel, Miniflare, convertV4MiniflareOptions } from "miniflare";
import { bundleForRuntime, requiredModules } from "../../scripts/lib/bundle.ts";
import { readConfig } from "../../scripts/lib/config.ts";
import { migrate } from "../../scripts/lib/state.ts";
import { ROOT } from "../../scripts/lib/paths.ts";
import { HOST, runtimeOptions } from "../../scripts/lib/runtime.ts";

export const TOKEN = "token-of-the-benchmark";

const VARS = {
  ENVIRONMENT: "development",
  LOAD_TOKEN: TOKEN,
  SESSION_SECRET: "secret-of-the-sessions-of-the-benchmark",
  RATE_LIMIT_PER_MINUTE: "600000000",
  EDGE_CACHE: "off",
  INDEX_INTERVAL_MS: "250",
};

/** A running service. `memory` returns the resident bytes of all workerd processes of this program. */
export interface Instance {
  port: number;
  url: string;
  runtime: Miniflare;
  state: string;
  memory: () => number;
  stop: () => Promise<void>;
}

interface CarrelOptions {
  vars?: Record<string, string>;
  /** False disables the queue consumers, as if they ran on another machine. */
  consumers?: boolean;
  /** URL of a PostgreSQL with the catalog. */
  catalog?: string | undefined;
  /** Another entry point. */
  main?: string;
  /** Folder of a bundle to run instead of a new one. */
  bundle?: string;
  /** State folder to keep; absent: an empty one, removed at the end. */
  state?: string;
  /** Port of the worker of the plain statements on the same index, if it is to run too. */
  plainPort?: number;
}

/** Starts Carrel without rate limit. */
export async function startCarrel(port: number, options: CarrelOptions = {}): Promise<Instance> {
  const { vars = {}, consumers = true, catalog, plainPort } = options;
  const state = options.state ?? (await mkdtemp(path.join(os.tmpdir(), "carrel-bench-")));
  const config = await readConfig();
  if (!consumers) config.queues.consumers = [];
  const bundle = options.bundle ?? (await bundleForRuntime(options.main ?? config.main));
  const runtime = new Miniflare(
    runtimeOptions(config, {
      state,
      bundle,
      vars: { ...VARS, ...vars },
      listeners: [{ entrypoint: "MainSite", name: "main site", flag: "port", port }],
      ...(catalog !== undefined && { catalog: { primary: catalog } }),
      ...(plainPort !== undefined && { more: [await plainWorker(plainPort, config)] }),
    }),
  );
  await migrate(runtime, config);
  const started = instance(runtime, port, state);
  return options.state === undefined ? started : { ...started, stop: () => runtime.dispose() };
}

async function plainWorker(port: number, config: Awaited<ReturnType<typeof readConfig>>) {
  const ids = new Map(config.d1_databases.map((one) => [one.binding, one.database_id]));
  const [search = "", catalog = ""] = [ids.get("SEARCH"), ids.get("CATALOG")];
  const d1Databases = { SEARCH: search, CATALOG: catalog, SCRATCH: "scratch" };
  return { ...(await bareWorker("plain", port)), d1Databases };
}

/** Bundles one of the workers that Carrel is compared with. */
async function bareWorker(name: "baseline" | "plain" | "object" | "marc", port: number) {
  const scriptPath = await bundleOf(name);
  return {
    name,
    modules: true as const,
    rootPath: ROOT,
    modulesRoot: path.dirname(scriptPath),
    scriptPath,
    compatibilityDate: "2026-08-01",
    unsafeDirectSockets: [{ host: HOST, port, entrypoint: "default" }],
  };
}

async function bundleOf(name: string) {
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

/** Starts the bare Hono worker. `postgres`: URL of its database; absent: D1. */
export async function startBaseline(port: number, postgres?: string): Promise<Instance> {
  const started = await startBare("baseline", port, {
    d1Databases: { CATALOG: "baseline" },
    compatibilityFlags: ["nodejs_compat"],
    ...(postgres !== undefined && { hyperdrives: { CATALOG_POSTGRES: postgres } }),
  });
  await fetch(`${started.url}/schema`, { method: "POST" });
  return started;
}

/** Starts the bare worker with a Durable Object of one table. */
export function startObject(port: number) {
  return startBare("object", port, { durableObjects: { BARE: { className: "Bare", useSQLite: true } } });
}

/** Starts the worker that parses MARC, by Carrel's parser and by marc4js. */
export function startMarc(port: number) {
  return startBare("marc", port, { compatibilityFlags: ["nodejs_compat"] });
}

async function startBare(
  name: "baseline" | "object" | "marc",
  port: number,
  bindings: object,
): Promise<Instance> {
  const state = await mkdtemp(path.join(os.tmpdir(), `carrel-${name}-`));
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: HOST,
      port: 0,
      cf: false,
      log: new Log(LogLevel.WARN),
      resourcePersistencePath: state,
      workers: [{ ...(await bareWorker(name, port)), ...bindings }],
    }),
  );
  await runtime.ready;
  return instance(runtime, port, state);
}

function instance(runtime: Miniflare, port: number, state: string): Instance {
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

/** Returns the resident bytes of all workerd processes of this program. */
function workerdBytes() {
  const sizes = workerdFolders().map(
    (folder) => /^VmRSS:\s*(\d+)/m.exec(readFileSync(`${folder}/status`, "utf8"))?.[1],
  );
  return sizes.reduce((sum, kib = "0") => sum + Number(kib) * 1024, 0);
}

/** Returns the CPU time that all workerd processes of this program have used, in milliseconds. */
export function workerdCpuMs() {
  const tasks = workerdFolders().flatMap((folder) =>
    readdirSync(`${folder}/task`).map((task) => `${folder}/task/${task}/schedstat`),
  );
  return tasks.reduce((sum, file) => sum + Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6, 0);
}

/** Returns the ids of the workerd processes that this program has started. */
export function workerdIds() {
  return workerdFolders().map((folder) => path.basename(folder));
}

/** Returns the folders in /proc of the workerd processes that this program has started. */
function workerdFolders() {
  const own = new RegExp(`^PPid:\\s*${process.pid}$`, "m");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => `/proc/${pid}`)
    .filter((folder) => {
      try {
        const status = readFileSync(`${folder}/status`, "utf8");
        return /^Name:\s*workerd/m.test(status) && own.test(status);
      } catch (error) {
        // The process has ended meanwhile.
        if (error instanceof Error && "code" in error && ["ENOENT", "ESRCH"].includes(String(error.code)))
          return false;
        throw error;
      }
    });
}

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

/** A running service. `memory` returns the resident bytes of all workerd processes of this program. */
export interface Instance {
  port: number;
  url: string;
  runtime: Miniflare;
  state: string;
  memory: () => number;
  stop: () => Promise<void>;
}

/**
 * Starts Carrel with an empty state and no rate limit. `consumers`: false disables the queue consumers, as if
 * they ran on another machine; `catalog`: URL of a PostgreSQL; `main`: another entry point.
 */
export async function startCarrel(
  port: number,
  {
    vars = {},
    consumers = true,
    catalog,
    main,
  }: { vars?: Record<string, string>; consumers?: boolean; catalog?: string | undefined; main?: string } = {},
): Promise<Instance> {
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

/** Starts Carrel on a kept state, and beside it the worker of the plain statements on the same index. */
export async function startWithPlain({
  port,
  plainPort,
  state,
  vars = {},
}: {
  port: number;
  plainPort: number;
  state: string;
  vars?: Record<string, string>;
}): Promise<Instance> {
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

async function bundleOf(name: "baseline" | "plain" | "object" | "marc") {
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

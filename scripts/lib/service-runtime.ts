import { statfs } from "node:fs/promises";
import { Miniflare } from "miniflare";
import { bundleForRuntime, watchBundle } from "./bundle.ts";
import { explain } from "./command.ts";
import type { Config } from "./config.ts";
import { watchDisk } from "./disk-watch.ts";
import { takeUp } from "./import-batch.ts";
import { setUpPostgres } from "./postgres-setup.ts";
import { type Listener, type LogSink, runtimeOptions } from "./runtime.ts";
import { call } from "./service.ts";
import { setUpSolr } from "./solr-setup.ts";
import { type SeedChoice, migrate, runtimeTarget, seed } from "./state.ts";
import { checkStores, noteStores } from "./store-files.ts";

/** Cleanup step. */
export type Step = () => unknown;

/** A service on this machine, with the settings and secrets that it starts with. */
export interface ServicePlan {
  state: string;
  /** Of wrangler.toml, overridden by `vars`. */
  config: Config;
  vars: Record<string, string> & { LOAD_TOKEN: string };
  /** Entry points that are called by address. */
  listeners: Listener[];
  choice: SeedChoice;
  catalog: { primary: string; near?: string | undefined } | undefined;
  solr: string | undefined;
  recreateMissing: boolean;
  /** Interval of the cron triggers in milliseconds. */
  cronEveryMs: number;
  watch?: boolean;
  inspect?: boolean;
  /** Folder of a bundle that is built already; else one is built, below `bundles`. */
  bundle?: string | undefined;
  bundles?: string;
  log?: LogSink;
}

/** Time after which the sweep takes any job for abandoned, in milliseconds: a little more than a minute. */
const JOBS_IDLE_MS = 70_000;
/** Free space in bytes below which a failed start is attributed to the disk. */
const FULL_DISK_BYTES = 2_000_000;
/**
 * Flags of V8. The isolates of D1, KV and others collect small heaps too, to which requests and responses add up. For
 * users, answers count more than memory: half the time of the slow ones, for twice the memory.
 */
const RUNTIME_FLAGS = {
  development: "--optimize-for-size --heap-growing-percent=10 --initial-old-space-size=4",
  production: "--heap-growing-percent=30",
};

/** Starts the runtime, brings its stores up to date and fills an empty state. Adds cleanup steps. */
export async function startRuntime(plan: ServicePlan, steps: Step[]): Promise<Miniflare> {
  const { state, config, vars, catalog, solr, watch = false } = plan;
  await checkStores(state, { config, canRecreate: plan.recreateMissing });
  const inner = plan.listeners.map((listener) => ({ ...listener, port: 0 }));
  const optionsNow = (folder: string) =>
    runtimeOptions(config, {
      state,
      bundle: folder,
      vars,
      listeners: inner,
      catalog,
      inspect: plan.inspect ?? false,
      ...(plan.log && { log: plan.log }),
      onRestart: async () => {
        if (runtime !== undefined) await resume(runtime, plan);
      },
    });
  let runtime: Miniflare | undefined;
  let watching: Awaited<ReturnType<typeof watchBundle>> | undefined;
  if (watch) {
    watching = await watchBundle(config.main, async (folder) => {
      await runtime?.setOptions(optionsNow(folder));
      console.log("reloaded");
    });
    steps.push(() => watching?.dispose());
  }
  const folder = plan.bundle ?? watching?.folder ?? (await bundleForRuntime(config.main, plan.bundles));
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] ??=
    RUNTIME_FLAGS[plan.choice.development ? "development" : "production"];
  const started = (runtime = new Miniflare(optionsNow(folder)));
  steps.push(() => started.dispose());
  closeOnSignals(steps);
  await migrate(runtime, config);
  if (catalog !== undefined) await setUpPostgres(catalog.primary);
  if (solr !== undefined) {
    const { SOLR_COLLECTION: collection = "carrel", SOLR_SECRET: credentials = "" } = {
      ...config.vars,
      ...vars,
    };
    await setUpSolr({ url: solr, collection, credentials });
  }
  await seed(runtime, { state, choice: plan.choice, token: vars.LOAD_TOKEN });
  await watching?.watch();
  return started;
}

/** Runs the cron jobs by the clock, and watches the disk. Adds cleanup steps. */
export async function keepUp(runtime: Miniflare, plan: ServicePlan, steps: Step[]) {
  const { state, catalog, config } = plan;
  await noteStores(state);
  const tick = async () => {
    await runCrons(runtime, config.triggers.crons);
    await noteStores(state).catch((error) => console.error("stores:", explain(error) ?? error));
  };
  const timer = setInterval(tick, plan.cronEveryMs);
  steps.push(
    () => noteStores(state),
    () => clearInterval(timer),
  );
  const openCatalog = () => runtime.getD1Database("CATALOG");
  if (catalog === undefined) steps.push(await watchDisk(state, { catalog: openCatalog }));
}

/** Resumes jobs that were interrupted when the service last ended. It may take a minute. */
export async function resume(runtime: Miniflare, plan: ServicePlan) {
  await runCrons(runtime, plan.config.triggers.crons);
  await resumeJobs(runtime, plan);
}

/** Prints why a service cannot run, cleans up and ends the process. */
export async function giveUp(error: unknown, { state, steps }: { state: string | undefined; steps: Step[] }) {
  const isFull = state !== undefined && (await isDiskFull(state));
  const problem = explain(error);
  if (problem !== undefined || !isFull) console.error(problem ?? error);
  if (isFull) console.error(`The disk of ${state} is full.`);
  await closeAll(steps);
  process.exit(1);
}

async function isDiskFull(state: string) {
  const { bavail, bsize } = await statfs(state).catch(() => ({ bavail: Infinity, bsize: 1 }));
  return bavail * bsize < FULL_DISK_BYTES;
}

/**
 * Resumes imports and dumps: local queues lose their messages when the runtime ends. Runs the cron jobs again once all
 * other jobs count as idle.
 */
async function resumeJobs(runtime: Miniflare, { vars, config }: ServicePlan) {
  const target = runtimeTarget(runtime, vars.LOAD_TOKEN);
  try {
    await takeUp(target, 0);
    await call(target, "/system/dumps/resume", { method: "POST", json: { stale_seconds: 0 } });
  } catch (error) {
    // The sweep does it, later.
    console.error("jobs:", explain(error) ?? error);
  }
  setTimeout(() => runCrons(runtime, config.triggers.crons), JOBS_IDLE_MS).unref();
}

async function runCrons(runtime: Miniflare, crons: string[]) {
  try {
    const worker = await runtime.getWorker();
    for (const cron of crons) await worker.scheduled({ cron, scheduledTime: new Date() });
  } catch (error) {
    // The next run makes up for this one.
    console.error("cron:", error);
  }
}

/** Runs cleanup steps in reverse order. A failure, such as a full disk, does not stop the others. */
async function closeAll(steps: Step[]) {
  for (const step of steps.toReversed()) {
    try {
      await step();
    } catch (error) {
      console.error(explain(error) ?? error);
    }
  }
}

/** Shuts the service down on signals. */
function closeOnSignals(steps: Step[]) {
  let closing = false;
  const close = async () => {
    if (closing) return;
    closing = true;
    await closeAll(steps);
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // The local runtime has listeners of its own, which would end the process before anything is closed.
    process.removeAllListeners(signal);
    process.on(signal, close);
  }
}

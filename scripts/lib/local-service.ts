import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Miniflare } from "miniflare";
import { START_HELP, startArguments } from "./arguments.ts";
import { bundler } from "./bundle.ts";
import { type Environment, CommandError, explain } from "./command.ts";
import { readConfig } from "./config.ts";
import { watchDisk } from "./disk-watch.ts";
import { openListeners } from "./front.ts";
import { takeUp } from "./import-batch.ts";
import { lockState } from "./local-state.ts";
import { setUpPostgres } from "./postgres-setup.ts";
import { type Listener, HOST, runtimeOptions } from "./runtime.ts";
import { call } from "./service.ts";
import { setUpSolr } from "./solr-setup.ts";
import { startSettings } from "./start-settings.ts";
import { migrate, runtimeTarget, seed } from "./state.ts";
import { checkStores, noteStores } from "./store-files.ts";

type StartOptions = ReturnType<typeof startArguments>;
/** Cleanup step. */
type Step = () => unknown;

/** Timeout of the first answer of each listener, and interval between attempts, in milliseconds. */
const READY_MS = 60_000;
const ASK_EVERY_MS = 250;
/** Time after which the sweep takes any job for abandoned, in milliseconds: a little more than a minute. */
const JOBS_IDLE_MS = 70_000;
/** Free space in bytes below which a failed start is attributed to the disk. */
const FULL_DISK_BYTES = 2_000_000;
/** Flags of V8: the isolates of D1, KV and others collect small heaps too, to which requests and responses add up. */
const RUNTIME_FLAGS = "--optimize-for-size --heap-growing-percent=10 --initial-old-space-size=4";

/** `npm start`. */
export async function main(args: string[], env: Environment) {
  const steps: Step[] = [];
  let options: StartOptions | undefined;
  try {
    options = startArguments(args, env);
    if (options.help) console.log(START_HELP);
    else await start(options, { env, steps });
  } catch (error) {
    const isFull = options !== undefined && (await isDiskFull(options.state));
    const problem = explain(error);
    if (problem !== undefined || !isFull) console.error(problem ?? error);
    if (isFull) console.error(`The disk of ${options?.state} is full.`);
    await closeAll(steps);
    process.exit(1);
  }
}

async function start(options: StartOptions, { env, steps }: { env: Environment; steps: Step[] }) {
  const { state, empty, bare, solr, catalog, watch } = options;
  const config = await readConfig();
  // Opens the ports first. Requests wait until the databases are up to date.
  const upToDate = Promise.withResolvers<Miniflare>();
  const listeners = await openListeners(options.listeners, async (entrypoint) =>
    (await upToDate.promise).unsafeGetDirectURL(config.name, entrypoint),
  );
  steps.push(await lockState(state, `http://${HOST}:${listeners[0]?.port}`));
  const more: Record<string, string> = solr === undefined ? {} : { SEARCH_ENGINE: "solr", SOLR_URL: solr };
  const vars = await startSettings(config, { listeners, state, env, more });
  const token = vars.LOAD_TOKEN;
  const { crons } = config.triggers;
  await checkStores(state, { config, canRecreate: options.recreateMissing });
  const inner = listeners.map((listener) => ({ ...listener, port: 0 }));
  const runtimeOptionsNow = () =>
    runtimeOptions(config, {
      state,
      bundle: bundle.folder,
      vars,
      listeners: inner,
      catalog,
      inspect: options.inspect,
      onRestart: () => runCrons(runtime, crons).then(() => resumeJobs(runtime, { token, crons })),
    });
  let runtime: Miniflare | undefined;
  const bundle = await bundler({
    main: config.main,
    onRebuilt: async () => {
      await runtime?.setOptions(runtimeOptionsNow());
      console.log("reloaded");
    },
  });
  if (!watch) await bundle.dispose();
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] ??= RUNTIME_FLAGS;
  const started = (runtime = new Miniflare(runtimeOptionsNow()));
  if (watch) steps.push(() => bundle.dispose());
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
  await seed(runtime, { state, choice: { empty, bare }, token });
  upToDate.resolve(started);
  if (watch) await bundle.watch();
  for (const listener of listeners) await answers(listener);
  await noteStores(state);
  const tick = async () => {
    await runCrons(started, crons);
    await noteStores(state).catch((error) => console.error("stores:", explain(error) ?? error));
  };
  const timer = setInterval(tick, options.cronEveryMs);
  steps.push(
    () => noteStores(state),
    () => clearInterval(timer),
  );
  const openCatalog = () => started.getD1Database("CATALOG");
  if (catalog === undefined) steps.push(await watchDisk(state, { catalog: openCatalog }));
  for (const { name, port } of listeners) console.log(`${name.padEnd(14)} http://${HOST}:${port}`);
  console.log("Carrel is ready. Stop it with Ctrl-C.");
  // The sweep resumes jobs that were interrupted when the service last ended. It may take a minute.
  await runCrons(runtime, crons);
  await resumeJobs(runtime, { token, crons });
}

/**
 * Waits until a listener responds. Any status below 500 counts, since not all of them have this path. Throws otherwise.
 */
async function answers({ name, port }: Listener) {
  let problem = "";
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(ASK_EVERY_MS)) {
    try {
      const response = await fetch(`http://${HOST}:${port}/health`, {
        signal: AbortSignal.timeout(READY_MS),
      });
      const text = await response.text();
      if (response.status < 500) return;
      problem = `it answers ${response.status}: ${text.slice(0, 300)}`;
      break;
    } catch (error) {
      problem = String(error instanceof Error ? (error.cause ?? error) : error);
    }
  }
  throw new CommandError(`The ${name} does not work on port ${port}: ${problem}`);
}

async function isDiskFull(state: string) {
  const { bavail, bsize } = await statfs(state).catch(() => ({ bavail: Infinity, bsize: 1 }));
  return bavail * bsize < FULL_DISK_BYTES;
}

/**
 * Resumes imports and dumps: local queues lose their messages when the runtime ends. Runs the cron jobs again once all
 * other jobs count as idle.
 */
async function resumeJobs(
  runtime: Miniflare | undefined,
  { token, crons }: { token: string; crons: string[] },
) {
  if (runtime === undefined) return;
  const target = runtimeTarget(runtime, token);
  try {
    await takeUp(target, 0);
    await call(target, "/system/dumps/resume", { method: "POST", json: { stale_seconds: 0 } });
  } catch (error) {
    // The sweep does it, later.
    console.error("jobs:", explain(error) ?? error);
  }
  setTimeout(() => runCrons(runtime, crons), JOBS_IDLE_MS).unref();
}

async function runCrons(runtime: Miniflare | undefined, crons: string[]) {
  try {
    const worker = await runtime?.getWorker();
    for (const cron of crons) await worker?.scheduled({ cron, scheduledTime: new Date() });
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

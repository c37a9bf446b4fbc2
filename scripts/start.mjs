import { Miniflare } from "miniflare";
import { START_HELP, startArguments } from "./lib/arguments.mjs";
import { bundler } from "./lib/bundle.mjs";
import { CommandError } from "./lib/command.mjs";
import { readConfig } from "./lib/config.mjs";
import { OTHER_SECRETS } from "./lib/deploy-settings.mjs";
import { openFront } from "./lib/front.mjs";
import { takeUp } from "./lib/import-batch.mjs";
import { localSecret, lockState } from "./lib/local-state.mjs";
import { setUpPostgres } from "./lib/postgres-setup.mjs";
import { HOST, runtimeOptions } from "./lib/runtime.mjs";
import { checkPorts } from "./lib/service-process.mjs";
import { setUpSolr } from "./lib/solr-setup.mjs";
import { migrate, runtimeTarget, seed } from "./lib/state.mjs";

/** @import { Config } from "./lib/config.mjs" */
/** @import { Listener } from "./lib/runtime.mjs" */

/** How often the local runtime runs the cron triggers, in milliseconds. */
const CRON_EVERY_MS = Number(process.env["CRON_EVERY_MS"]) || 300_000;

/** Settings that no environment changes; docs/settings.md explains all of them. */
const FIXED = new Set([
  "ENVIRONMENT",
  "RECORD_PREFIX",
  "BASE_URL",
  "ARCHIVE_PUBLIC_URL",
  "DERIVE_HOLDINGS",
  "SESSION_SECRET_BEFORE",
]);

/** @param {ReturnType<typeof startArguments>} options */
async function start({ listeners, state, empty, bare, solr, catalog, watch }) {
  await checkPorts(listeners);
  const unlock = await lockState(state);
  const config = await readConfig();
  const secrets = {
    LOAD_TOKEN: await localSecret(state, "load-token"),
    SESSION_SECRET: await localSecret(state, "session-secret"),
    COVERS_SECRET: process.env["COVERS_SECRET"] ?? (await localSecret(state, "covers-secret")),
  };
  /** @type {Record<string, string>} */
  const engine = solr === undefined ? {} : { SEARCH_ENGINE: "solr", SOLR_URL: solr };
  const vars = { ...localVars(config, listeners), ...engine, ...secrets };
  const inner = listeners.map((listener) => ({ ...listener, port: 0 }));
  const options = () =>
    runtimeOptions(config, { state, bundle: bundle.folder, vars, listeners: inner, catalog });
  /** @type {Miniflare | undefined} */
  let runtime;
  const bundle = await bundler({
    main: config.main,
    onRebuilt: async () => {
      await runtime?.setOptions(options());
      console.log("reloaded");
    },
  });
  const started = (runtime = new Miniflare(options()));
  const closing = closer([unlock, () => bundle.dispose(), () => started.dispose()]);
  await migrate(runtime, config);
  if (catalog !== undefined) await setUpPostgres(catalog.primary);
  if (solr !== undefined) {
    const { SOLR_COLLECTION: collection = "carrel", SOLR_SECRET: credentials = "" } = {
      ...config.vars,
      ...vars,
    };
    await setUpSolr({ url: solr, collection, credentials });
  }
  if (!bare) await seed(runtime, { state, empty, token: vars.LOAD_TOKEN });
  // Nobody is let in before the databases are up to date.
  for (const { entrypoint, port } of listeners) {
    await openFront(port, () => started.unsafeGetDirectURL(config.name, entrypoint));
  }
  if (watch) await bundle.watch();
  // What was under way when the service ended last is taken up again by the sweep.
  await runCrons(runtime, config.triggers.crons);
  const timer = setInterval(() => runCrons(runtime, config.triggers.crons), CRON_EVERY_MS);
  closing.push(() => clearInterval(timer));
  for (const { name, port } of listeners) console.log(`${name.padEnd(14)} http://${HOST}:${port}`);
  console.log("Carrel is ready. Stop it with Ctrl-C.");
  await resumeImports(runtime, vars.LOAD_TOKEN);
}

/**
 * Settings of a development service, where they differ from a deployed one.
 * @param {Config} config
 * @param {Listener[]} listeners
 * @returns {Record<string, string>}
 */
function localVars(config, listeners) {
  const { env } = process;
  const covers = listeners.find(({ entrypoint }) => entrypoint === "CoverStore");
  const names = [...Object.keys(config.vars), ...OTHER_SECRETS].filter((name) => !FIXED.has(name));
  return {
    ENVIRONMENT: "development",
    COVERS_PUBLIC_URL: `http://localhost:${covers?.port}`,
    EDGE_CACHE: "off",
    DUMPS: "off",
    RATE_LIMIT_PER_MINUTE: "60000",
    LOG_REQUESTS: "problems",
    ...Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  };
}

/**
 * The messages of the local queues end with the service, and so does whoever worked on one.
 * @param {Miniflare} runtime
 * @param {string} token
 */
async function resumeImports(runtime, token) {
  try {
    await takeUp(runtimeTarget(runtime, token), 0);
  } catch (error) {
    // The sweep does it, later.
    console.error("imports:", error);
  }
}

/** @param {Miniflare | undefined} runtime @param {string[]} crons */
async function runCrons(runtime, crons) {
  try {
    const worker = await runtime?.getWorker();
    for (const cron of crons) await worker?.scheduled({ cron, scheduledTime: new Date() });
  } catch (error) {
    // The next run makes up for this one.
    console.error("cron:", error);
  }
}

/**
 * Makes signals end the service in order: what was opened last is closed first.
 * @param {(() => unknown)[]} steps
 */
function closer(steps) {
  let closing = false;
  const close = async () => {
    if (closing) return;
    closing = true;
    for (const step of steps.toReversed()) await step();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // The local runtime has listeners of its own, which would end the process before anything is closed.
    process.removeAllListeners(signal);
    process.on(signal, close);
  }
  return steps;
}

try {
  const options = startArguments(process.argv.slice(2), process.env);
  if (options.help) console.log(START_HELP);
  else await start(options);
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(error.message);
  process.exit(1);
}

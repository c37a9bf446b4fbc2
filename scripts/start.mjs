import { Miniflare } from "miniflare";
import { START_HELP, UsageError, startArguments } from "./lib/arguments.mjs";
import { copyDocsAssets } from "./lib/assets.mjs";
import { bundler } from "./lib/bundle.mjs";
import { readConfig } from "./lib/config.mjs";
import { takeUp } from "./lib/import-batch.mjs";
import { localCoversSecret, localSessionSecret, localToken, lockState } from "./lib/local-state.mjs";
import { HOST, runtimeOptions } from "./lib/runtime.mjs";
import { checkPorts } from "./lib/service-process.mjs";
import { migrate, seed } from "./lib/state.mjs";

/** How often the local runtime runs the cron triggers, in milliseconds. */
const CRON_EVERY_MS = Number(process.env["CRON_EVERY_MS"]) || 300_000;

/** Settings that a development service takes from the environment as they are; docs/settings.md explains them. */
const FROM_ENVIRONMENT = [
  "LOGIN_ORIGINS",
  "IDENTITY_PROVIDER",
  "XAUTH_URL",
  "XAUTH_KEY_URL",
  "XAUTH_ACCESS",
  "XAUTH_SECRET",
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "LENDING",
  "LENDING_URL",
  "LENDING_AVAILABILITY_URL",
  "LENDING_RPC_URL",
  "LENDING_ACCESS",
  "LENDING_KEY",
  "LENDING_SECRET",
  "ANONYMIZE_SECRET",
  "READER_URL",
  "READER_SECRET",
  "BORROW_GET_WRITES",
  "MAIL_URL",
  "MAIL_TOKEN",
  "MAIL_FROM",
  "AFFILIATE_LOOKUP",
  "AFFILIATE_URL",
  "ITEMS",
  "ITEMS_URL",
  "ITEM_PREFIXES_REFUSED",
  "ITEM_NOTICE_URL",
  "COVER_HOSTS",
  "COVER_FALLBACK_BASE",
  "COVERS_BLOCKED",
  "LARGE_IMAGES",
  "CDN_SCRIPTS",
  "CDN_FOLDER",
  "LINK_SECRET",
  "MARC_HOSTS",
  "ILS_HOSTS",
  "IMPORT_BOT",
];

/** @param {ReturnType<typeof startArguments>} options */
async function start({ listeners, state, empty, bare, watch }) {
  await checkPorts(listeners);
  const unlock = await lockState(state);
  const config = await readConfig();
  await copyDocsAssets();
  const secrets = {
    LOAD_TOKEN: await localToken(state),
    SESSION_SECRET: await localSessionSecret(state),
    COVERS_SECRET: process.env["COVERS_SECRET"] ?? (await localCoversSecret(state)),
  };
  const vars = { ...localVars(listeners), ...secrets };
  const options = (/** @type {typeof listeners} */ open) =>
    runtimeOptions(config, { state, bundle: bundle.folder, vars, listeners: open });
  /** @type {Miniflare | undefined} */
  let runtime;
  const bundle = await bundler({
    main: config.main,
    onRebuilt: async () => {
      await runtime?.setOptions(options(listeners));
      console.log("reloaded");
    },
  });
  // Nobody is let in before the databases are up to date.
  runtime = new Miniflare(options([]));
  const closing = closer([unlock, () => bundle.dispose(), () => runtime?.dispose()]);
  await migrate(runtime, config);
  if (!bare) await seed(runtime, { state, empty, token: vars.LOAD_TOKEN });
  await runtime.setOptions(options(listeners));
  await runtime.ready;
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
 * @param {import("./lib/runtime.mjs").Listener[]} listeners
 */
function localVars(listeners) {
  const { env } = process;
  const covers = listeners.find(({ entrypoint }) => entrypoint === "CoverStore");
  return {
    ENVIRONMENT: "development",
    COVERS_PUBLIC_URL: env["COVERS_PUBLIC_URL"] ?? `http://localhost:${covers?.port}`,
    EDGE_CACHE: env["EDGE_CACHE"] ?? "off",
    DUMPS: env["DUMPS"] ?? "off",
    RATE_LIMIT_PER_MINUTE: env["RATE_LIMIT_PER_MINUTE"] ?? "60000",
    LOG_REQUESTS: env["LOG_REQUESTS"] ?? "problems",
    ...Object.fromEntries(
      FROM_ENVIRONMENT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
    ),
  };
}

/**
 * The messages of the local queues end with the service, and so does whoever worked on one.
 * @param {Miniflare} runtime
 * @param {string} token
 */
async function resumeImports(runtime, token) {
  const send = /** @type {typeof fetch} */ (/** @type {unknown} */ (runtime.dispatchFetch.bind(runtime)));
  try {
    await takeUp({ url: "http://localhost", token, fetch: send }, 0);
  } catch (error) {
    // The sweep does it, later.
    console.error("imports:", error);
  }
}

/**
 * @param {Miniflare | undefined} runtime
 * @param {string[]} crons
 */
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
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** A service whose answers depend on nothing but the requests that it was sent. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parse } from "smol-toml";
import { ServiceProcess, freePorts } from "../../scripts/lib/service-process.ts";

/** @typedef {"main" | "record" | "search" | "cover"} Listener */
/** @typedef {{ addresses: Record<Listener, string>, stop: () => Promise<void> }} Service */

/** The same for every service, so that what it signs is the same. */
export const SECRETS = {
  token: "token-of-the-recorded-answers",
  covers: "secret-of-the-covers-of-the-recorded-answers",
  session: "secret-of-the-sessions-of-the-recorded-answers",
};
/** Files of a state in which a service looks for them. */
const SECRET_FILES = { token: "load-token", covers: "covers-secret", session: "session-secret" };
/**
 * Nothing is asked for over the network, nothing happens by the clock, and what needs a secret has one. @type
 * {Record<string, string>}
 */
export const SETTINGS = {
  CRON_EVERY_MS: "999999999",
  RATE_LIMIT_PER_MINUTE: "60000000",
  COVERS_PUBLIC_URL: "http://localhost:7075",
  COVER_HOSTS: "covers.invalid",
  LINK_SECRET: "secret-of-the-scanners-of-the-answers",
  LENDING_SECRET: "secret-of-the-lending-of-the-answers",
  ANONYMIZE_SECRET: "secret-of-the-removals-of-the-answers",
};
const HOST = "127.0.0.1";
const READY_SECONDS = 180;
const LEFT_OUT = new Set(["node_modules", ".git", "dist", ".wrangler"]);
const ENTRY = "answers-entry.mjs";

/**
 * Starts the service of a checkout with the starter catalog: a copy of it with a steady clock (`steady-worker.mjs`),
 * on ports and a state of its own.
 * @param {string} checkout
 * @returns {Promise<Service>}
 */
export async function startSteady(checkout) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "carrel-answers-"));
  const [copy, state] = [path.join(folder, "checkout"), path.join(folder, "state")];
  await copied(checkout, copy);
  await writeSecrets(state);
  const [main = 0, record = 0, search = 0, cover = 0] = await freePorts(4);
  const ports = { port: main, "record-store-port": record, "search-port": search, "cover-store-port": cover };
  const flags = Object.entries(ports).flatMap(([name, port]) => [`--${name}`, String(port)]);
  // Older checkouts have it in JavaScript.
  const start = ["start.ts", "start.mjs"].map((name) => path.join(copy, "scripts", name)).find(existsSync);
  const args = [start ?? "", "--state", state, ...flags];
  const service = new ServiceProcess(process.execPath, args, SETTINGS);
  const stop = async () => {
    service.kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await service.ready(READY_SECONDS);
  } catch (error) {
    await stop();
    throw error;
  }
  return { addresses: { main: at(main), record: at(record), search: at(search), cover: at(cover) }, stop };
}

/** @param {number} port */
function at(port) {
  return `http://${HOST}:${port}`;
}

/** @param {string} checkout @param {string} copy */
async function copied(checkout, copy) {
  const filter = (/** @type {string} */ file) => !LEFT_OUT.has(path.relative(checkout, file));
  await cp(checkout, copy, { recursive: true, preserveTimestamps: true, filter });
  await symlink(path.join(checkout, "node_modules"), path.join(copy, "node_modules"));
  const file = path.join(copy, "wrangler.toml");
  const text = await readFile(file, "utf8");
  const config = /** @type {any} */ (parse(text));
  const objects = config.durable_objects.bindings.map((/** @type {any} */ one) => one.class_name);
  await writeFile(path.join(copy, ENTRY), entryText(path.join(copy, config.main), objects));
  // Messages come at once: each is waited for.
  const changed = text
    .replace(/^main = .*$/m, `main = "${ENTRY}"`)
    .replace(/^max_batch_timeout = .*$/gm, "max_batch_timeout = 0");
  await writeFile(file, changed);
}

/** @param {string} main @param {readonly string[]} objects */
function entryText(main, objects) {
  const [worker, front] = [main, path.join(import.meta.dirname, "steady-worker.mjs")].map((one) =>
    JSON.stringify(one),
  );
  const classes = objects.map(
    (name) => `export class ${name} extends worker.${name} {
  constructor(state, env) {
    watch(state, env);
    super(state, env);
  }
}
`,
  );
  return `import { steady, watch } from ${front};
import * as worker from ${worker};
export * from ${worker};
export { default } from ${worker};
steady(worker);
${classes.join("")}`;
}

/** @param {string} state */
async function writeSecrets(state) {
  await mkdir(state, { recursive: true });
  for (const [name, file] of Object.entries(SECRET_FILES)) {
    await writeFile(path.join(state, file), SECRETS[/** @type {keyof typeof SECRETS} */ (name)]);
  }
}

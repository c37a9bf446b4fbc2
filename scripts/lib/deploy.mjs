import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { stringify } from "smol-toml";
import { CommandError } from "./command.mjs";
import { deployedConfig, needsOf, readConfig } from "./config.mjs";
import {
  checkSettings,
  ownSecrets,
  parseSettings,
  readSecrets,
  textOf,
  withSecretsFile,
} from "./deploy-settings.mjs";
import {
  answerOf,
  create,
  isLoggedIn,
  listBuckets,
  listDatabases,
  listNamespaces,
  listQueues,
  listSecrets,
} from "./wrangler.mjs";

/** @import { Config } from "./config.mjs" */
/** @import { Wrangler } from "./wrangler.mjs" */

/** How often the new version is asked whether it works, and how long is waited in between, in milliseconds. */
const CHECK_ATTEMPTS = 10;
const CHECK_WAIT_MS = 3000;

/**
 * @typedef {object} DeployOptions
 * @property {boolean} isDryRun print what would be done, and do nothing
 * @property {string} config file that the configuration of the deployed service is written to
 * @property {string} settings file of the settings of this service
 * @property {string} secrets file of its secrets
 * @property {string | undefined} location where databases and buckets are to be
 */

/**
 * @typedef {object} Tools
 * @property {Wrangler} wrangler
 * @property {(line: string) => void} log
 */

/**
 * @typedef {object} Account what it has; ids by name
 * @property {Map<string, string>} databases
 * @property {Map<string, string>} namespaces
 * @property {Set<string>} buckets
 * @property {Set<string>} queues
 */

/**
 * Deploys the service: creates what is missing, applies migrations, uploads the code with the secrets that are missing. It
 * can be stopped anywhere and be run again; a second run creates nothing.
 * @param {DeployOptions} options
 * @param {Tools} tools
 */
export async function deploy(options, tools) {
  const { wrangler, log } = tools;
  const config = await readConfig();
  const settings = parseSettings(await textOf(options.settings), config.vars);
  await checkSettings({ ...config.vars, ...settings, ...(await readSecrets(options.secrets)) });
  if (!(settings["BASE_URL"] ?? config.vars["BASE_URL"])) {
    log(
      `note: BASE_URL is not set in ${options.settings}: mails link to the address that was asked, crawlers are kept out`,
    );
  }
  const hasAccount = await isLoggedIn(wrangler);
  if (!hasAccount && !options.isDryRun) {
    throw new CommandError("Nobody is logged in: run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.");
  }
  if (!hasAccount) log("note: nobody is logged in, so everything counts as missing");
  const account = hasAccount ? await readAccount(wrangler) : emptyAccount();
  const created = await createMissing(config, account, { options, tools });
  const found = created > 0 && !options.isDryRun ? await readAccount(wrangler) : account;
  await writeConfig(deployedConfig(config, { ...found, settings }), { options, tools });
  await migrate(config, { options, tools });
  await upload(hasAccount, { options, tools });
  return { created, url: settings["BASE_URL"] ?? config.vars["BASE_URL"] };
}

/** @param {Wrangler} wrangler @returns {Promise<Account>} */
async function readAccount(wrangler) {
  return {
    databases: await listDatabases(wrangler),
    namespaces: await listNamespaces(wrangler),
    buckets: await listBuckets(wrangler),
    queues: await listQueues(wrangler),
  };
}

/** @returns {Account} */
function emptyAccount() {
  return { databases: new Map(), namespaces: new Map(), buckets: new Set(), queues: new Set() };
}

/**
 * Creates what the account lacks, one after the other; returns how much that was.
 * @param {Config} config
 * @param {Account} account
 * @param {{ options: DeployOptions, tools: Tools }} run
 */
async function createMissing(config, account, { options, tools: { wrangler, log } }) {
  const needs = needsOf(config);
  const hint = options.location === undefined ? [] : ["--location", options.location];
  const wanted = [
    ...needs.databases.map(({ name }) => ({
      what: `database ${name}`,
      has: account.databases.has(name),
      args: ["d1", "create", name, ...hint],
    })),
    ...needs.namespaces.map(({ title }) => ({
      what: `KV namespace ${title}`,
      has: account.namespaces.has(title),
      args: ["kv", "namespace", "create", title],
    })),
    ...needs.buckets.map((name) => ({
      what: `bucket ${name}`,
      has: account.buckets.has(name),
      args: ["r2", "bucket", "create", name, ...hint],
    })),
    ...needs.queues.map((name) => ({
      what: `queue ${name}`,
      has: account.queues.has(name),
      args: ["queues", "create", name],
    })),
  ];
  const missing = wanted.filter(({ has }) => !has);
  for (const { what, has, args } of wanted) {
    if (has) log(`${what}: is there`);
    else if (options.isDryRun) log(`${what}: would be created (wrangler ${args.join(" ")})`);
    else {
      await create(wrangler, args);
      log(`${what}: created`);
    }
  }
  return missing.length;
}

/**
 * Writes the configuration of the deployed service: a file of its own, which holds ids and no secrets.
 * @param {Config} config
 * @param {{ options: DeployOptions, tools: Tools }} run
 */
async function writeConfig(config, { options, tools: { log } }) {
  const text = `# Made by \`npm run deploy\` from wrangler.toml; do not change it.\n${stringify(config)}`;
  const isSame = (await textOf(options.config)) === text;
  if (!isSame) await writeFile(options.config, text);
  log(`${options.config}: ${isSame ? "as it was" : "written"}`);
}

/**
 * Applies migrations, before the code that needs them is there.
 * @param {Config} config
 * @param {{ options: DeployOptions, tools: Tools }} run
 */
async function migrate(config, { options, tools: { wrangler, log } }) {
  for (const { binding } of config.d1_databases) {
    const args = ["d1", "migrations", "apply", binding, "--remote", "--config", options.config];
    if (options.isDryRun) {
      log(`migrations of ${binding}: would be applied (wrangler ${args.join(" ")})`);
      continue;
    }
    const said = await answerOf(wrangler, args);
    log(`migrations of ${binding}: ${/no migrations to apply/i.test(said) ? "all there" : "applied"}`);
  }
}

/**
 * Uploads the code, with the secrets that the account lacks. A dry run bundles it and uploads nothing.
 * @param {boolean} hasAccount
 * @param {{ options: DeployOptions, tools: Tools }} run
 */
async function upload(hasAccount, { options, tools: { wrangler, log } }) {
  const known = hasAccount ? await listSecrets(wrangler, options.config) : new Set();
  const { secrets, made } = await ownSecrets(options.secrets, { known, isDryRun: options.isDryRun });
  const missing = Object.entries(secrets).filter(([name]) => !known.has(name));
  for (const name of made)
    log(`secret ${name}: ${options.isDryRun ? "would be made" : `made, see ${options.secrets}`}`);
  for (const name of [...known].sort()) log(`secret ${name}: is there`);
  const args = ["deploy", "--config", options.config];
  if (options.isDryRun) {
    const said = await answerOf(wrangler, [...args, "--dry-run"]);
    log(`code: would be uploaded (${/Total Upload: .*/.exec(said)?.[0] ?? "size unknown"})`);
    return;
  }
  const said = await withSecretsFile(Object.fromEntries(missing), (file) =>
    answerOf(wrangler, missing.length === 0 ? args : [...args, "--secrets-file", file]),
  );
  for (const [name] of missing) log(`secret ${name}: set`);
  log(`code: uploaded (${/Current Version ID: \S+/.exec(said)?.[0] ?? "version unknown"})`);
  for (const [address] of said.matchAll(/https:\/\/\S+\.workers\.dev/g)) log(`address: ${address}`);
}

/**
 * Looks whether the deployed service says that it works; an error when it does not in time.
 * @param {string | undefined} url its address; nothing is looked at without one
 * @param {(line: string) => void} log
 * @param {number} [wait] milliseconds between two attempts
 */
export async function checkDeployed(url, log, wait = CHECK_WAIT_MS) {
  if (url === undefined || url === "") {
    log("check: no address is known; look at /status yourself");
    return;
  }
  const address = `${url.replace(/\/$/, "")}/status.json`;
  let problem = "";
  for (let attempt = 1; attempt <= CHECK_ATTEMPTS; attempt += 1) {
    if (attempt > 1) await sleep(wait);
    const shown = await ask(address);
    if (typeof shown === "string") {
      problem = shown;
      continue;
    }
    log(`check: ${address} says ${shown.status}, version ${shown.software_version}`);
    if (shown.changes === 0) log("next: npm run load -- --bootstrap, see docs/operations.md");
    return;
  }
  throw new CommandError(`check: ${address} does not work: ${problem}`);
}

/**
 * @param {string} address
 * @returns {Promise<string | { status: string, software_version: string, changes: number | null }>} why not, or what it says
 */
async function ask(address) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(15_000) });
    const text = await response.text();
    if (response.status !== 200) return `${response.status} ${failedOf(text)}`;
    return JSON.parse(text);
  } catch (error) {
    return String(error);
  }
}

/** @param {string} text */
function failedOf(text) {
  try {
    const { dependencies = {} } = JSON.parse(text);
    return Object.keys(dependencies)
      .filter((name) => !dependencies[name].ok)
      .join(", ");
  } catch {
    return text.slice(0, 200);
  }
}

import { readFile, writeFile } from "node:fs/promises";
import { stringify } from "smol-toml";
import { CommandError } from "./command.mjs";
import { readConfig } from "./config.mjs";
import {
  answerOf,
  create,
  isLoggedIn,
  listBuckets,
  listDatabases,
  listNamespaces,
  listQueues,
  listSecrets,
} from "./deploy-account.mjs";
import { deployedConfig, needsOf, parseSettings } from "./deploy-plan.mjs";
import { ownSecrets, readSecrets, withSecretsFile } from "./deploy-secrets.mjs";
import { checkSettings } from "./deploy-settings.mjs";

/** @import { Config } from "./config.mjs" */
/** @import { Wrangler } from "./wrangler.mjs" */

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

/**
 * @param {Wrangler} wrangler
 * @returns {Promise<Account>}
 */
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
 * @param {string} file
 * @returns {Promise<string>} empty when there is none
 */
function textOf(file) {
  return readFile(file, "utf8").catch((error) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { stringify } from "smol-toml";
import { CommandError } from "./command.ts";
import { type Config, deployedConfig, needsOf, readConfig } from "./config.ts";
import {
  checkSettings,
  ownSecrets,
  parseSettings,
  readSecrets,
  textOf,
  withSecretsFile,
} from "./deploy-settings.ts";
import { type Account, type Wrangler, answerOf, create, listSecrets, readAccount } from "./wrangler.ts";

/** Attempts to reach the new version, and the pause between them in milliseconds. */
const CHECK_ATTEMPTS = 10;
const CHECK_WAIT_MS = 3000;

interface DeployOptions {
  isDryRun: boolean;
  /** Path of the generated configuration of the deployed service. */
  config: string;
  settings: string;
  secrets: string;
  /** Location hint for databases and buckets. */
  location: string | undefined;
}

interface Tools {
  wrangler: Wrangler;
  log: (line: string) => void;
}

type Run = DeployOptions & Tools;

/**
 * Deploys the service: creates missing resources, applies migrations, uploads the code and missing secrets. Idempotent,
 * and can be interrupted at any point.
 */
export async function deploy(options: DeployOptions, tools: Tools) {
  const run = { ...options, ...tools };
  const { wrangler, log, isDryRun } = run;
  const config = await readConfig();
  const settings = parseSettings(await textOf(options.settings), config.vars);
  await checkSettings({ ...config.vars, ...settings, ...(await readSecrets(options.secrets)) });
  const url = settings["BASE_URL"] ?? config.vars["BASE_URL"];
  if (!url) {
    log(
      `note: BASE_URL is not set in ${options.settings}: no mail is sent, so nobody can register or set a new password, and crawlers are kept out`,
    );
  }
  const account = await readAccount(wrangler);
  if (account === undefined && !isDryRun) {
    throw new CommandError("Nobody is logged in: run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.");
  }
  if (account === undefined) log("note: nobody is logged in, so everything counts as missing");
  const created = await createMissing(config, account, run);
  const found = created > 0 && !isDryRun ? await readAccount(wrangler) : account;
  await writeConfig(deployedConfig(config, { ...found, settings }), run);
  await migrate(config, run);
  await upload(account === undefined ? new Set() : await listSecrets(wrangler, options.config), run);
  return { created, url };
}

/** Creates missing resources one by one. Returns their number. */
async function createMissing(
  config: Config,
  account: Account | undefined,
  { isDryRun, location, wrangler, log }: Run,
) {
  const needs = needsOf(config);
  const hint = location === undefined ? [] : ["--location", location];
  const wanted = [
    ...needs.databases.map(({ name }) => ({
      what: `database ${name}`,
      has: account?.databases.has(name),
      args: ["d1", "create", name, ...hint],
    })),
    ...needs.namespaces.map(({ title }) => ({
      what: `KV namespace ${title}`,
      has: account?.namespaces.has(title),
      args: ["kv", "namespace", "create", title],
    })),
    ...needs.buckets.map((name) => ({
      what: `bucket ${name}`,
      has: account?.buckets.has(name),
      args: ["r2", "bucket", "create", name, ...hint],
    })),
    ...needs.queues.map((name) => ({
      what: `queue ${name}`,
      has: account?.queues.has(name),
      args: ["queues", "create", name],
    })),
  ];
  for (const { what, has, args } of wanted) {
    if (has) log(`${what}: is there`);
    else if (isDryRun) log(`${what}: would be created (wrangler ${args.join(" ")})`);
    else {
      await create(wrangler, args);
      log(`${what}: created`);
    }
  }
  return wanted.filter(({ has }) => !has).length;
}

/** Writes the configuration of the deployed service, which holds ids but no secrets. */
async function writeConfig(deployed: Config, { config: file, log }: Run) {
  const text = `# Made by \`npm run deploy\` from wrangler.toml; do not change it.\n${stringify(deployed)}`;
  const isSame = (await textOf(file)) === text;
  if (!isSame) await writeFile(file, text);
  log(`${file}: ${isSame ? "as it was" : "written"}`);
}

/** Applies migrations, before the code that needs them is uploaded. */
async function migrate({ d1_databases: databases }: Config, { isDryRun, config, wrangler, log }: Run) {
  for (const { binding } of databases) {
    const args = ["d1", "migrations", "apply", binding, "--remote", "--config", config];
    if (isDryRun) {
      log(`migrations of ${binding}: would be applied (wrangler ${args.join(" ")})`);
      continue;
    }
    const said = await answerOf(wrangler, args);
    log(`migrations of ${binding}: ${/no migrations to apply/i.test(said) ? "all there" : "applied"}`);
  }
}

/** Uploads the code and the secrets that the account does not have yet (`known`). A dry run only bundles. */
async function upload(known: Set<string>, { isDryRun, config, secrets: file, wrangler, log }: Run) {
  const { secrets, made } = await ownSecrets(file, { known, isDryRun });
  const missing = Object.entries(secrets).filter(([name]) => !known.has(name));
  for (const name of made) log(`secret ${name}: ${isDryRun ? "would be made" : `made, see ${file}`}`);
  for (const name of [...known].sort()) log(`secret ${name}: is there`);
  const args = ["deploy", "--config", config];
  if (isDryRun) {
    const said = await answerOf(wrangler, [...args, "--dry-run"]);
    log(`code: would be uploaded (${/Total Upload: .*/.exec(said)?.[0] ?? "size unknown"})`);
    return;
  }
  const said = await withSecretsFile(Object.fromEntries(missing), (handed) =>
    answerOf(wrangler, missing.length === 0 ? args : [...args, "--secrets-file", handed]),
  );
  for (const [name] of missing) log(`secret ${name}: set`);
  log(`code: uploaded (${/Current Version ID: \S+/.exec(said)?.[0] ?? "version unknown"})`);
}

/** Waits until the deployed service reports that it works. Throws on timeout. Does nothing without a URL. */
export async function checkDeployed(
  url: string | undefined,
  log: (line: string) => void,
  wait: number = CHECK_WAIT_MS,
) {
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

async function ask(
  address: string,
): Promise<string | { status: string; software_version: string; changes: number | null }> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(15_000) });
    const text = await response.text();
    if (response.status !== 200) return `${response.status} ${failedOf(text)}`;
    return JSON.parse(text);
  } catch (error) {
    return String(error);
  }
}

function failedOf(text: string) {
  try {
    const { dependencies = {} } = JSON.parse(text);
    return Object.keys(dependencies)
      .filter((name) => !dependencies[name].ok)
      .join(", ");
  } catch {
    return text.slice(0, 200);
  }
}

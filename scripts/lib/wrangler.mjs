import { spawn } from "node:child_process";
import path from "node:path";
import { CommandError } from "./command.mjs";
import { ROOT } from "./paths.mjs";

/**
 * Runs a wrangler command to its end.
 * @typedef {(args: string[]) => Promise<{ status: number, stdout: string, stderr: string }>} Wrangler
 */

/** Wrangler of this checkout, or the program that the environment names. */
const WRANGLER = process.env["WRANGLER"] ?? path.join(ROOT, "node_modules/wrangler/wrangler-dist/cli.js");

/** Nothing is asked, nothing is reported, nothing is coloured. */
const ENVIRONMENT = { WRANGLER_SEND_METRICS: "false", CI: "true", NO_COLOR: "1", FORCE_COLOR: "0" };

/** Pages of queues that are looked through at most, a hundred queues each. */
const QUEUE_PAGES_MAX = 100;

/** What wrangler or the account says when somebody else was faster, or a list did not show what there is. */
const EXISTS = /already (?:exists|taken|own)|\[code: (?:7502|10004|10014|11009)\]/i;

/** @type {Wrangler} */
export function wrangler(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WRANGLER, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ["ignore", "pipe", "pipe"],
    });
    /** @type {Record<"stdout" | "stderr", string>} */
    const said = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => (said.stdout += chunk));
    child.stderr.on("data", (chunk) => (said.stderr += chunk));
    child.on("error", reject);
    child.on("close", (status) => resolve({ status: status ?? 1, ...said }));
  });
}

/** True when somebody is logged in. @param {Wrangler} run */
export async function isLoggedIn(run) {
  const { status } = await run(["whoami", "--json"]);
  return status === 0;
}

/** Ids of the databases of the account, by name. @param {Wrangler} run */
export async function listDatabases(run) {
  /** @type {{ name: string, uuid: string }[]} */
  const found = JSON.parse(await answerOf(run, ["d1", "list", "--json"]));
  return new Map(found.map(({ name, uuid }) => [name, uuid]));
}

/** Ids of the KV namespaces of the account, by title. @param {Wrangler} run */
export async function listNamespaces(run) {
  /** @type {{ id: string, title: string }[]} */
  const found = JSON.parse(await answerOf(run, ["kv", "namespace", "list"]));
  return new Map(found.map(({ id, title }) => [title, id]));
}

/** Names of the buckets of the account. @param {Wrangler} run */
export async function listBuckets(run) {
  const text = await answerOf(run, ["r2", "bucket", "list"]);
  return new Set([...text.matchAll(/^name:\s+(\S+)\s*$/gm)].map(([, name = ""]) => name));
}

/** Names of the queues of the account; wrangler shows them as a table, page by page. @param {Wrangler} run */
export async function listQueues(run) {
  /** @type {Set<string>} */
  const names = new Set();
  for (let page = 1; page <= QUEUE_PAGES_MAX; page += 1) {
    const text = await answerOf(run, ["queues", "list", "--page", String(page)]);
    const rows = text.split("\n").map((line) => line.split("│").map((cell) => cell.trim()));
    const found = rows.map(([, , name = ""]) => name).filter((name) => name !== "" && name !== "name");
    if (found.every((name) => names.has(name))) break;
    for (const name of found) names.add(name);
  }
  return names;
}

/**
 * Names of the secrets of the worker; none while there is no worker.
 * @param {Wrangler} run
 * @param {string} config file
 */
export async function listSecrets(run, config) {
  const args = ["secret", "list", "--format", "json", "--config", config];
  const { status, stdout, stderr } = await run(args);
  if (status !== 0) {
    if (/not found|\[code: 10007\]/i.test(`${stdout}${stderr}`)) return new Set();
    throw new CommandError(failure(args, stdout, stderr));
  }
  /** @type {{ name: string }[]} */
  const secrets = JSON.parse(stdout);
  return new Set(secrets.map(({ name }) => name));
}

/**
 * Creates something, unless it is there: nobody minds who was first.
 * @param {Wrangler} run
 * @param {string[]} args
 */
export async function create(run, args) {
  const { status, stdout, stderr } = await run(args);
  if (status !== 0 && !EXISTS.test(`${stdout}${stderr}`))
    throw new CommandError(failure(args, stdout, stderr));
}

/** What a command prints; an error when it fails. @param {Wrangler} run @param {string[]} args */
export async function answerOf(run, args) {
  const { status, stdout, stderr } = await run(args);
  if (status !== 0) throw new CommandError(failure(args, stdout, stderr));
  return stdout;
}

/** @param {string[]} args @param {string} stdout @param {string} stderr */
function failure(args, stdout, stderr) {
  return `wrangler ${args.join(" ")} failed:\n${`${stderr}\n${stdout}`.trim()}`;
}

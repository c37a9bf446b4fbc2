import { CommandError } from "./command.mjs";

/** @import { Wrangler } from "./wrangler.mjs" */

/** Pages of queues that are looked through at most, a hundred queues each. */
const QUEUE_PAGES_MAX = 100;

/** What wrangler or the account says when somebody else was faster, or a list did not show what there is. */
const EXISTS = /already (?:exists|taken|own)|\[code: (?:7502|10004|10014|11009)\]/i;

/**
 * True when somebody is logged in.
 * @param {Wrangler} wrangler
 */
export async function isLoggedIn(wrangler) {
  const { status } = await wrangler(["whoami", "--json"]);
  return status === 0;
}

/**
 * Ids of the databases of the account, by name.
 * @param {Wrangler} wrangler
 */
export async function listDatabases(wrangler) {
  /** @type {{ name: string, uuid: string }[]} */
  const found = JSON.parse(await answerOf(wrangler, ["d1", "list", "--json"]));
  return new Map(found.map(({ name, uuid }) => [name, uuid]));
}

/**
 * Ids of the KV namespaces of the account, by title.
 * @param {Wrangler} wrangler
 */
export async function listNamespaces(wrangler) {
  /** @type {{ id: string, title: string }[]} */
  const found = JSON.parse(await answerOf(wrangler, ["kv", "namespace", "list"]));
  return new Map(found.map(({ id, title }) => [title, id]));
}

/**
 * Names of the buckets of the account.
 * @param {Wrangler} wrangler
 */
export async function listBuckets(wrangler) {
  const text = await answerOf(wrangler, ["r2", "bucket", "list"]);
  return new Set([...text.matchAll(/^name:\s+(\S+)\s*$/gm)].map(([, name = ""]) => name));
}

/**
 * Names of the queues of the account; wrangler shows them as a table, page by page.
 * @param {Wrangler} wrangler
 */
export async function listQueues(wrangler) {
  /** @type {Set<string>} */
  const names = new Set();
  for (let page = 1; page <= QUEUE_PAGES_MAX; page += 1) {
    const text = await answerOf(wrangler, ["queues", "list", "--page", String(page)]);
    const rows = text.split("\n").map((line) => line.split("│").map((cell) => cell.trim()));
    const found = rows.map(([, , name = ""]) => name).filter((name) => name !== "" && name !== "name");
    if (found.every((name) => names.has(name))) break;
    for (const name of found) names.add(name);
  }
  return names;
}

/**
 * Names of the secrets of the worker; none while there is no worker.
 * @param {Wrangler} wrangler
 * @param {string} config file
 */
export async function listSecrets(wrangler, config) {
  const args = ["secret", "list", "--format", "json", "--config", config];
  const { status, stdout, stderr } = await wrangler(args);
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
 * @param {Wrangler} wrangler
 * @param {string[]} args
 */
export async function create(wrangler, args) {
  const { status, stdout, stderr } = await wrangler(args);
  if (status !== 0 && !EXISTS.test(`${stdout}${stderr}`))
    throw new CommandError(failure(args, stdout, stderr));
}

/**
 * What a command prints; an error when it fails.
 * @param {Wrangler} wrangler
 * @param {string[]} args
 */
export async function answerOf(wrangler, args) {
  const { status, stdout, stderr } = await wrangler(args);
  if (status !== 0) throw new CommandError(failure(args, stdout, stderr));
  return stdout;
}

/**
 * @param {string[]} args
 * @param {string} stdout
 * @param {string} stderr
 */
function failure(args, stdout, stderr) {
  return `wrangler ${args.join(" ")} failed:\n${`${stderr}\n${stdout}`.trim()}`;
}

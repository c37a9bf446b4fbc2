import { spawn } from "node:child_process";
import path from "node:path";
import { CommandError } from "./command.ts";
import { ROOT } from "./paths.ts";

interface WranglerResult {
  status: number;
  stdout: string;
  stderr: string;
}
export type Wrangler = (args: string[]) => Promise<WranglerResult>;

/** Wrangler of this checkout, or a replacement for tests. */
const WRANGLER = process.env["WRANGLER"] ?? path.join(ROOT, "node_modules/wrangler/wrangler-dist/cli.js");

/** No prompts, metrics or colours. */
const ENVIRONMENT = { WRANGLER_SEND_METRICS: "false", CI: "true", NO_COLOR: "1", FORCE_COLOR: "0" };

/** Maximum number of pages of queues, of 100 each. */
const QUEUE_PAGES_MAX = 100;

/** Output if the resource was created concurrently, or a list did not show it. */
const EXISTS = /already (?:exists|taken|own)|\[code: (?:7502|10004|10014|11009)\]/i;
const NO_WORKER = /not found|\[code: 10007\]/i;

export function wrangler(args: string[]): Promise<WranglerResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WRANGLER, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...ENVIRONMENT },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said: Record<"stdout" | "stderr", string> = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => (said.stdout += chunk));
    child.stderr.on("data", (chunk) => (said.stderr += chunk));
    child.on("error", reject);
    child.on("close", (status) => resolve({ status: status ?? 1, ...said }));
  });
}

/** Resources of an account by name, some with their ids. */
export interface Account {
  databases: Map<string, string>;
  namespaces: Map<string, string>;
  buckets: Set<string>;
  queues: Set<string>;
}

/** Reads the resources of the account. Undefined if wrangler is not logged in. */
export async function readAccount(run: Wrangler): Promise<Account | undefined> {
  const { status } = await run(["whoami", "--json"]);
  if (status !== 0) return undefined;
  const databases: { name: string; uuid: string }[] = JSON.parse(
    await answerOf(run, ["d1", "list", "--json"]),
  );
  const namespaces: { id: string; title: string }[] = JSON.parse(
    await answerOf(run, ["kv", "namespace", "list"]),
  );
  const buckets = await answerOf(run, ["r2", "bucket", "list"]);
  return {
    databases: new Map(databases.map(({ name, uuid }) => [name, uuid])),
    namespaces: new Map(namespaces.map(({ id, title }) => [title, id])),
    buckets: new Set([...buckets.matchAll(/^name:\s+(\S+)\s*$/gm)].map(([, name = ""]) => name)),
    queues: await listQueues(run),
  };
}

/** Lists the queues of the account, which wrangler prints as a table, page by page. */
async function listQueues(run: Wrangler) {
  const names: Set<string> = new Set();
  for (let page = 1; page <= QUEUE_PAGES_MAX; page += 1) {
    const text = await answerOf(run, ["queues", "list", "--page", String(page)]);
    const rows = text.split("\n").map((line) => line.split("│").map((cell) => cell.trim()));
    const found = rows.map(([, , name = ""]) => name).filter((name) => name !== "" && name !== "name");
    if (found.every((name) => names.has(name))) break;
    for (const name of found) names.add(name);
  }
  return names;
}

/** Lists the names of the worker's secrets; none if there is no worker. */
export async function listSecrets(run: Wrangler, config: string): Promise<Set<string>> {
  const text = await answerOf(run, ["secret", "list", "--format", "json", "--config", config], NO_WORKER);
  const secrets: { name: string }[] = JSON.parse(text || "[]");
  return new Set(secrets.map(({ name }) => name));
}

/** Creates a resource unless it exists. */
export async function create(run: Wrangler, args: string[]) {
  await answerOf(run, args, EXISTS);
}

/** Runs a command and returns its output. Throws if it fails, unless the output matches `mayFail`. */
export async function answerOf(run: Wrangler, args: string[], mayFail?: RegExp) {
  const { status, stdout, stderr } = await run(args);
  if (status === 0) return stdout;
  if (mayFail?.test(`${stdout}${stderr}`)) return "";
  throw new CommandError(`wrangler ${args.join(" ")} failed:\n${`${stderr}\n${stdout}`.trim()}`);
}

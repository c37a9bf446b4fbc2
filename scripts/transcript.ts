// Sends the requests of a feature to the merge base with main and to the working tree, and shows what differs.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { CommandError, explain } from "./lib/command.ts";
import { type Operation, readOperations } from "./lib/operations.ts";
import { ROOT } from "./lib/paths.ts";
import { differences, linesOf, shortened } from "./transcript/compare.ts";
import type { World } from "./transcript/lines.ts";
import { type TranscriptRequest, requestsOf } from "./transcript/requests.ts";
import { type Outcome, Side } from "./transcript/side.ts";
import { makeWorld } from "./transcript/world.ts";

const HELP = `usage: npm run transcript -- FEATURE [options]

Compares what every address of a feature (a folder of src/worker/, or all) does in the working tree and at its merge base
with main: status, headers, body, calls to the stores, log lines, messages, and changed rows, for every kind of client.

  --base REF     compare with this commit
  --only REGEXP  only operations whose id, or method and path, match
  --show N       differences that are shown (20)
  --help         this text`;

/** In-memory file system of Linux, and the bytes that must be free there: on a disk, SQLite waits at every write. */
const MEMORY = "/dev/shm";
const NEEDED = 1e9;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: "string" },
    only: { type: "string", default: "" },
    show: { type: "string", default: "20" },
    help: { type: "boolean" },
  },
});
function fail(error: unknown) {
  console.error(explain(error) ?? error);
  process.exitCode = 1;
}

async function main(name: string) {
  const started = performance.now();
  const folder = mkdtempSync(path.join(hasRoom(MEMORY) ? MEMORY : os.tmpdir(), "carrel-transcript-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));
  const ref = values.base ?? git("merge-base", "HEAD", "main").trim();
  const base = path.join(folder, "base-tree");
  extract(ref, base);
  const roots = { base, tree: ROOT };
  const only = new RegExp(values.only);
  const [before, all] = await Promise.all([readOperations(/./, roots.base), readOperations(/./, roots.tree)]);
  const operations = all.filter(
    (one) =>
      (name === "all" || one.feature === name) &&
      (only.test(one.id) || only.test(`${one.method} ${one.path}`)),
  );
  if (operations.length === 0) throw new CommandError(`No route of src/worker/${name} matches.`);
  const report = new Report(Number(values.show));
  const isChosen = (one: Operation) => name === "all" || one.feature === name;
  for (const difference of declaredDifferences(before.filter(isChosen), all.filter(isChosen)))
    report.add("declared", difference);
  const sides = {
    base: new Side(roots.base, path.join(folder, "base")),
    tree: new Side(roots.tree, path.join(folder, "tree")),
  };
  try {
    const runtime = await sides.base.start();
    const world = await makeWorld(sides.base, runtime, sides.base.live);
    await sides.tree.start(sides.base.world);
    await sides.tree.keepWorld();
    const { now } = sides.base;
    const compare = async (request: TranscriptRequest) => {
      const [one, other] = await Promise.all([sides.base.exchange(request), sides.tree.exchange(request)]);
      report.count(request.operation, one);
      const lines = differences(linesOf(one), linesOf(other));
      if (lines.length > 0) report.add(nameOf(request), lines);
    };
    for (const group of Map.groupBy(operations, (one) => one.feature).values()) {
      // Both without memory, and long before the sessions end.
      await Promise.all([sides.base.restart(now), sides.tree.restart(now)]);
      for (const request of [openApi(world), ...requestsOf(group, all, world)]) await compare(request);
    }
  } finally {
    await Promise.all([sides.base.stop(), sides.tree.stop()]);
  }
  report.print(operations.length, (performance.now() - started) / 1000);
}

/** Writes the files of a commit to a folder. */
function extract(ref: string, folder: string) {
  mkdirSync(folder);
  execFileSync("tar", ["-x", "-C", folder], {
    input: execFileSync("git", ["archive", ref], { cwd: ROOT, maxBuffer: 2 ** 30 }),
  });
  symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
}

function git(...args: string[]) {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" });
}

function hasRoom(folder: string) {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > NEEDED;
}

function openApi({ headers }: World): TranscriptRequest {
  return {
    operation: "openapi",
    label: "interface description",
    listener: "main",
    method: "GET",
    target: "/openapi.json",
    headers: headers.anonymous,
  };
}

function nameOf({ operation, label, method, target, body }: TranscriptRequest) {
  const text = body === undefined ? "" : ` ${JSON.stringify(body.toString("latin1", 0, 200))}`;
  return `${operation} (${label}): ${method} ${target.slice(0, 300)}${text}`;
}

function routesOf(operations: readonly Operation[]) {
  return operations.map(({ listener, method, path: address }) => `${listener} ${method} ${address}`);
}

/** Compares what the routes declare, and their order: the first that matches a request answers it. */
function declaredDifferences(before: readonly Operation[], after: readonly Operation[]): string[][] {
  const texts = (operations: readonly Operation[]) =>
    new Map(
      operations.map((one, index) => [
        routesOf(operations)[index] ?? "",
        JSON.stringify(one.declared, undefined, 1).split("\n"),
      ]),
    );
  const [old, present] = [texts(before), texts(after)];
  const order = differences(routesOf(before), routesOf(after));
  const changed = [...old].flatMap(([name, lines]) => {
    const found = differences(lines, present.get(name) ?? []);
    return found.length === 0 ? [] : [[name, ...found]];
  });
  return order.length === 0 ? changed : [["routes", ...order], ...changed];
}

class Report {
  #shown;
  #requests = 0;
  #writes = 0;
  #differences = 0;
  /** Operations, and those with an answer that is no error. */
  #tried = new Set<string>();
  #succeeded = new Set<string>();

  constructor(shown: number) {
    this.#shown = shown;
  }

  count(operation: string, { status, changes }: Outcome) {
    this.#requests += 1;
    if (changes.length > 0) this.#writes += 1;
    this.#tried.add(operation);
    if (status > 0 && status < 400) this.#succeeded.add(operation);
  }

  add(name: string, lines: string[]) {
    this.#differences += 1;
    if (this.#differences > this.#shown) return;
    console.log(`DIFFERENT ${name}`);
    for (const line of shortened(lines)) console.log(`  ${line}`);
  }

  print(operations: number, seconds: number) {
    const failed = [...this.#tried.difference(this.#succeeded)];
    // Their inner code is not seen: an example may be missing.
    if (failed.length > 0) console.log(`only errors from ${failed.join(", ")}`);
    console.log(
      `${operations} operations, ${this.#requests} requests, ${this.#writes} with changes, ${this.#differences} differences, ${seconds.toFixed(0)} s`,
    );
    process.exitCode = this.#differences > 0 ? 1 : 0;
  }
}

const [feature] = positionals;
if (values.help === true || feature === undefined) console.log(HELP);
else await main(feature).catch(fail);

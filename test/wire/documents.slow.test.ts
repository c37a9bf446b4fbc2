// The commands of the documents run in order against services of their own and print what the documents say.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { knownToken } from "../../scripts/lib/local-state.ts";
import { ROOT } from "../../scripts/lib/paths.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { type DocumentCommand, commandsOf, isAsDocumented } from "../support/node/document-commands.ts";
import { reportSkip } from "../support/node/skips.ts";

/** In the order of a newcomer: later documents use what earlier ones made. */
const DOCUMENTS = [
  "README.md",
  ...[
    "tour",
    "libraries",
    "export",
    "opds",
    "feeds",
    "providers",
    "sru",
    "reconcile",
    "follow",
    "operations",
    // Last: a harvest leaves out the last minute, which the others take.
    "oai",
  ].map((name) => `docs/${name}.md`),
];
/** Commands that need more than one machine, or that other tests run. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^npx wrangler|npm run deploy/, "an account at Cloudflare"],
  [/^git |^npm run check/, "CI"],
  [/npm run mirror/, "runs until it is stopped: mirror.slow.test.ts"],
  [/\/system\/rewind/, "Cloudflare: the local runtime keeps no past of objects"],
  [/npm run restore/, "backup.slow.test.ts"],
];
/** Programs and packages of Python that are not part of the project. */
const PACKAGES = /\b(?:import|from) .*?\b(pymarc|sickle|feedparser|reconciler)\b/;
const TIMEOUT_MS = 180_000;
const READY_SECONDS = 400;
/** Harvests leave out the last minute. */
const HARVESTABLE_MS = 65_000;

/** Folder in which the commands run: the files of the checkout, and what the commands write. */
let folder = "";
/** Time at which the first service was ready. */
let begun = 0;
const services: ServiceProcess[] = [];

const stateOf = (args: readonly string[]): string =>
  path.join(folder, args[args.indexOf("--state") + 1] ?? ".wrangler/state/v3");

/** Runs `npm start` with the options of a document, on free ports, with a state in the folder. */
async function start(args: readonly string[]): Promise<string> {
  const own = args.filter(
    (_arg, at) => !["--state", "--port"].some((name) => [args[at], args[at - 1]].includes(name)),
  );
  const service = ServiceProcess.start([...own, "--state", stateOf(args)]);
  services.push(service);
  await service.ready(READY_SECONDS);
  begun ||= Date.now();
  return service.log;
}

const PORTS = {
  "main site": 8080,
  "record store": 7000,
  "search engine": 8983,
  "cover store": 7075,
} as const;
type Listener = keyof typeof PORTS;

/** Pairs of what the documents name and what it is here: the first service, by any name. */
function hosts(): [string, string][] {
  const listeners = Object.entries(PORTS) as [Listener, number][];
  const ports = listeners.flatMap(([listener, port]): [string, string][] => {
    const here = new URL(services[0]?.url(listener) ?? "").port;
    return ["localhost", "127.0.0.1"].map((host) => [`${host}:${port}`, `${host}:${here}`]);
  });
  const main = services[0]?.url().replace("127.0.0.1", "localhost") ?? "";
  return [...ports, ["https://books.example.org", main]];
}

const toHere = (text: string): string =>
  hosts().reduce((result, [there, here]) => result.replaceAll(there, here), text);
const toDocument = (text: string): string =>
  hosts().reduce(
    (result, [there, here]) => (there.startsWith("https") ? result : result.replaceAll(here, there)),
    text,
  );

interface Result {
  readonly output: string;
  readonly errors: string;
  readonly code: number;
}

/** Runs a command with the variables that earlier ones of the document exported. */
async function run({ text, input, output: documented }: DocumentCommand, exported: string): Promise<Result> {
  const started = /^(?:npm ci && )?npm start(?: -- (.*))?$/.exec(text);
  if (started !== null) {
    const log = await start(started[1]?.split(" ") ?? []);
    // On a busy machine the service also logs its own slow requests.
    return { output: toDocument(log.replace(/^\{"level".*\n/gm, "")), errors: "", code: 0 };
  }
  const script = `set -o pipefail; [ ! -f ${exported} ] || . ./${exported}\n${toHere(text)}\ncode=$?; export -p > ${exported}; exit $code`;
  // Without startup files, which Bash reads when its input is a socket, and which may change PATH.
  const child = spawn("bash", ["--norc", "-c", script], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
      STATE_DIR: stateOf([]),
      // Has a `.curlrc`: where the document shows no response, a refusal is a failure.
      CURL_HOME: documented === undefined || documented === "" ? folder : "/nonexistent",
    },
    timeout: TIMEOUT_MS,
  });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (part) => (output += String(part)));
  child.stderr.on("data", (part) => (errors += String(part)));
  // Most commands end without reading their input.
  child.stdin.on("error", () => {});
  child.stdin.end(toHere(input));
  const [code] = (await once(child, "close")) as [number | null];
  return { output: toDocument(output), errors, code: code ?? 1 };
}

async function isMissing(text: string): Promise<boolean> {
  const program = /^yaz-client|python3/m.exec(text)?.[0];
  if (program === undefined) return false;
  const needed = PACKAGES.exec(text)?.[1] ?? "json";
  const look = program === "python3" ? `python3 -c 'import ${needed}'` : `command -v ${program}`;
  const { code } = await run({ text: look, line: 0, input: "" }, "looked");
  if (code !== 0) reportSkip("documents");
  return code !== 0;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "carrel-documents-"));
  const names = (await readdir(ROOT)).filter(
    (name) => !/^(?:\.git|\.wrangler|dist|backup|deploy\..*)$/.test(name),
  );
  for (const name of names) await symlink(path.join(ROOT, name), path.join(folder, name));
  await writeFile(path.join(folder, ".curlrc"), "fail-with-body\n");
});

afterAll(async () => {
  for (const service of services) service.kill();
  await rm(folder, { recursive: true, force: true });
});

it.each(DOCUMENTS)("%s prints what it says", { timeout: 5 * TIMEOUT_MS }, async (name) => {
  const commands = commandsOf(await readFile(path.join(ROOT, name), "utf8"));
  expect(commands.length).toBeGreaterThan(0);
  if (services.length > 0) {
    const secrets = JSON.stringify({ LOAD_TOKEN: await knownToken(stateOf([])) });
    await writeFile(path.join(folder, "deploy.secrets.json"), secrets);
  }
  const problems: string[] = [];
  for (const command of commands) {
    if (ELSEWHERE.some(([form]) => form.test(command.text)) || (await isMissing(command.text))) continue;
    if (command.text.includes("sickle")) await sleep(Math.max(0, begun + HARVESTABLE_MS - Date.now()));
    const { output, errors, code } = await run(command, `exported-${path.basename(name)}`);
    const isRight = command.output === undefined || isAsDocumented(output, command.output);
    if (code !== 0 || !isRight)
      problems.push(`${name}:${command.line} ended with ${code}\n${command.text}\n${output}${errors}`);
  }
  expect(problems).toEqual([]);
});

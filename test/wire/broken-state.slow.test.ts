// Starts of the service on a damaged state: left by a killed service, or incomplete.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rename, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { knownToken } from "../../scripts/lib/local-state.ts";
import { ROOT } from "../../scripts/lib/paths.ts";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";

const READY_SECONDS = 180;
/** By the sweep alone the dump would be resumed later than that. */
const DUMP_MS = 60_000;
const DATABASES = "d1/miniflare-D1DatabaseObject";

let state = "";
let flags: string[] = [];
let service: ServiceProcess | undefined;

async function start(): Promise<void> {
  service = ServiceProcess.start(flags);
  await service.ready(READY_SECONDS);
}

async function databaseName(): Promise<string> {
  const names = await readdir(path.join(state, DATABASES));
  return names.find((name) => /^\w{64}\.sqlite$/.test(name)) ?? "";
}

/** Returns the output of a start that is refused. */
async function refusal(env: Record<string, string> = {}, args = flags): Promise<string> {
  const options = { cwd: ROOT, env: { ...process.env, ...env }, timeout: 60_000 };
  const run = promisify(execFile)(process.execPath, ["scripts/start.ts", "--port", "0", ...args], options);
  const { code, stderr } = await run.then(
    () => ({ code: 0, stderr: "" }),
    (error) => Object(error),
  );
  expect([code, stderr]).toEqual([1, expect.not.stringMatching(/^\s+at |internal error/m)]);
  return String(stderr);
}

beforeAll(async () => {
  state = path.join(await mkdtemp(path.join(os.tmpdir(), "carrel-broken-")), "state");
  flags = ["--empty", "--state", state];
  await start();
}, 400_000);

afterAll(() => service?.kill());

/** Calls an operator's route. */
async function operate(route: string, method = "GET"): Promise<unknown> {
  const token = (await knownToken(state)) ?? "";
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${service?.url()}${route}`, { method, headers })).json();
}

it.runIf(process.platform === "linux")(
  "goes on with its dump after a kill that its runtime has survived",
  { timeout: 400_000 },
  async () => {
    expect(await operate("/system/dumps", "POST")).toMatchObject({ dump: { state: "open" } });
    process.kill(Number(await readFile(path.join(state, "carrel.pid"), "utf8")), "SIGKILL");
    await start();
    expect(service?.log).toMatch(/^Ended process \d+, a runtime/m);
    await expect
      .poll(() => operate("/system/dumps.json"), { timeout: DUMP_MS, interval: 500 })
      .toMatchObject({ dumps: [{ state: "published" }] });
  },
);

/** Runs a command with the state. */
async function command(script: string, ...args: string[]): Promise<string> {
  const all = [`scripts/${script}.ts`, ...args, "--state", state];
  const options = { cwd: ROOT, timeout: 120_000 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, all, options).catch(
    (error) => error,
  );
  return stdout + stderr;
}

it("is called by commands with its state, at any port", { timeout: 150_000 }, async () => {
  expect(await command("reindex", "--check")).toMatch(/^search index: \d+ works compared/);
  expect(await command("backup", "--to", path.join(state, "../backup"))).toMatch(/all changes up to [1-9]/);
});

it("is ready when all four listeners answer", async () => {
  const listeners = ["main site", "record store", "search engine", "cover store"] as const;
  const answers = await Promise.all(listeners.map((name) => fetch(`${service?.url(name)}/health`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
});

describe("a state that has lost something is refused", () => {
  beforeAll(() => service?.stop("SIGTERM"), 60_000);

  it("by commands, while it has no service", { timeout: 150_000 }, async () => {
    expect(await command("reindex")).toMatch(/^\nNo service runs with the state \S+\. [^\n]+\n$/);
  });

  /** Runs with a file of the state that is gone, or has another text. */
  async function broken(name: string, text?: string): Promise<string> {
    const file = path.join(state, name);
    await rename(file, `${file}.away`);
    if (text !== undefined) await writeFile(file, text);
    try {
      return await refusal();
    } finally {
      await rename(`${file}.away`, file);
    }
  }

  it("when a database is gone", { timeout: 200_000 }, async () => {
    const name = await databaseName();
    expect(await broken(`${DATABASES}/${name}`)).toMatch(
      new RegExp(`(?:CATALOG|SEARCH|PATRONS): \\S+${name}\n`),
    );
  });

  it("when a database is damaged", { timeout: 200_000 }, async () => {
    const name = await databaseName();
    const said = await broken(`${DATABASES}/${name}`, "no database ".repeat(1000));
    expect(said).toMatch(new RegExp(`is damaged: \\S+${name}: it is not a database`));
  });

  it("when a secret is empty", { timeout: 200_000 }, async () => {
    expect(await broken("session-secret", "")).toMatch(
      /SESSION_SECRET, in \S+session-secret .*>=32 characters/,
    );
  });

  it("when it is a file", { timeout: 200_000 }, async () => {
    const args = flags.map((flag) => (flag === state ? path.join(state, "load-token") : flag));
    expect(await refusal({}, args)).toMatch(/load-token: a file stands where a folder should be/);
  });

  it("unless nothing is wrong with it", { timeout: 400_000 }, start);
});

it("refuses settings that it does not serve, before anything starts", { timeout: 200_000 }, async () => {
  await service?.stop("SIGTERM");
  expect(await refusal({ DUMPS: "on" })).toMatch(/^DUMPS of the environment: /m);
  expect(await refusal({ ENVIRONMENT: "production", HOST: "0.0.0.0" })).toMatch(/^ENVIRONMENT: .*\nHOST: /m);
});

// npm: @modelcontextprotocol/conformance, the suite of the protocol. Most of its scenarios call the tools of an example
// server by name, or try features that no tool here has: images, sampling, logging, elicitation, subscriptions.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";

const READY_SECONDS = 180;
const TIMEOUT_MS = 120_000;
const suite = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);

/** Scenarios that a service without the tools of the example server has to pass, by revision of the protocol. */
const SHARED = "dns-rebinding-protection prompts-list resources-list tools-list";
const SCENARIOS = {
  "2025-11-25": `${SHARED} ping server-initialize server-session-lifecycle server-sse-multiple-streams server-sse-polling`,
  "2026-07-28": `${SHARED} caching http-header-validation input-required-result-ignore-extra-params input-required-result-missing-input-response input-required-result-unsupported-methods input-required-result-validate-input sep-2164-resource-not-found server-sse-multiple-streams`,
} as const;
/** Checks of the scenario `server-stateless` that need those tools, or a subscription. */
const UNTESTABLE = [
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-missing-capability-http-400",
  "sep-2575-server-no-log-without-loglevel",
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-server-sends-subscription-ack",
  "sep-2575-server-tags-subscription-id",
];

let folder: string;
let service: ServiceProcess;
let url: URL;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "carrel-mcp-"));
  service = ServiceProcess.start(["--state", path.join(folder, "state")]);
  url = new URL("/mcp", await service.ready(READY_SECONDS));
}, READY_SECONDS * 1000);
afterAll(async () => {
  await service.stop("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

interface Check {
  readonly id: string;
  readonly status: string;
}

/** Runs all scenarios of a revision and returns the checks of each. The suite's own status is that of the failures. */
async function checksOf(version: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const output = path.join(folder, version);
  const options = ["--url", url.href, "--suite", "all", "--spec-version", version, "-o", output];
  await promisify(execFile)(process.execPath, [suite, "server", ...options]).catch(() => {});
  const results = (await readdir(output)).map(async (name) => {
    const text = await readFile(path.join(output, name, "checks.json"), "utf8");
    return [/^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name, JSON.parse(text) as Check[]] as const;
  });
  return new Map(await Promise.all(results));
}

const failedOf = (checks: readonly Check[] = [{ id: "not run", status: "FAILURE" }]): string[] =>
  checks.filter(({ status }) => status === "FAILURE").map(({ id }) => id);

it.each(["2025-11-25", "2026-07-28"] as const)(
  "passes the scenarios of %s that it can",
  async (version) => {
    const checks = await checksOf(version);
    const failed = SCENARIOS[version].split(" ").map((name) => [name, failedOf(checks.get(name))]);
    expect(failed.filter(([, ids]) => ids?.length !== 0)).toEqual([]);
    if (version === "2026-07-28")
      expect(failedOf(checks.get("server-stateless")).toSorted()).toEqual(UNTESTABLE);
  },
  TIMEOUT_MS,
);

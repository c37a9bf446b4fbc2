// A service that moves from the index in D1 to Solr and back, while it is written to and searched.
import { execFile } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServiceProcess } from "../../scripts/lib/service-process.ts";
import { solrMissing, startSolrCloud } from "../../scripts/lib/solr-cloud.ts";
import { setUpSolr } from "../../scripts/lib/solr-setup.ts";
import { reportSolrSkip } from "../support/node/skips.ts";

const TIMEOUT_MS = 300_000;
const PATIENCE = { timeout: 120_000, interval: 200 };
const missing = await solrMissing();
if (missing !== undefined) reportSolrSkip(missing);

let cloud: Awaited<ReturnType<typeof startSolrCloud>> | undefined;
let service: ServiceProcess | undefined;
let folder = "";
let url = "";
let token = "";
/** Works that were written so far. */
let written = 0;

async function startWith(SEARCH_ENGINE: string): Promise<void> {
  await service?.stop("SIGTERM");
  const env = { SEARCH_ENGINE, SEARCH_SHADOW: "on", SOLR_URL: cloud?.nodes[0]?.url ?? "" };
  service = ServiceProcess.start(["--bare", "--state", folder], env);
  url = await service.ready(180);
}

beforeAll(async () => {
  if (missing !== undefined) return;
  cloud = await startSolrCloud({});
  await setUpSolr({ url: cloud.nodes[0]?.url ?? "", collection: "carrel", say: () => undefined });
  folder = path.join(await mkdtemp(path.join(os.tmpdir(), "carrel-move-")), "state");
  await startWith("embedded");
  token = (await readFile(path.join(folder, "load-token"), "utf8")).trim();
}, TIMEOUT_MS);

afterAll(async () => {
  service?.kill();
  await cloud?.stop();
});

async function write(count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_empty, at) => {
    const key = `/works/OL${written + at + 1}W`;
    const time = { type: "/type/datetime", value: "2026-11-01T00:00:00" };
    const dates = { revision: 1, created: time, last_modified: time };
    const document = {
      key,
      type: { key: "/type/work" },
      title: `Whale number ${written + at + 1}`,
      ...dates,
    };
    return ["/type/work", key, 1, "2026-11-01T00:00:00", JSON.stringify(document)].join("\t");
  });
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/system/load`, { method: "POST", headers, body: lines.join("\n") });
  expect(response.status, await response.clone().text()).toBe(200);
  written += count;
}

/** Counts the works that match `whale`. */
async function whales(): Promise<number> {
  const response = await fetch(`${url}/search.json?q=whale&limit=0`);
  expect(response.status).toBe(200);
  return Object(await response.json()).numFound;
}

async function behind(projection: string): Promise<number> {
  return Object(await (await fetch(`${url}/status.json`)).json()).projections[projection]?.behind;
}

/** Writes and searches until something is done: nothing that was found once is missed. */
async function during<Type>(something: Promise<Type>): Promise<Type> {
  const state = { isDone: false };
  const end = () => (state.isDone = true);
  something.then(end, end);
  for (let found = await whales(); !state.isDone; await sleep(100)) {
    await write(3);
    const now = await whales();
    expect(now).toBeGreaterThanOrEqual(found);
    found = now;
  }
  return something;
}

async function reindex(...args: string[]): Promise<string> {
  const command = ["scripts/reindex.ts", "--url", url, "--token", token, ...args];
  return (await promisify(execFile)(process.execPath, command)).stdout;
}

test.skipIf(missing !== undefined)(
  "moves to Solr and back while works are written",
  async () => {
    await write(600);
    await expect.poll(whales, PATIENCE).toBe(written);
    expect(await during(reindex("--shadow"))).toMatch(/rebuilt from \d+ records/);
    await expect.poll(() => behind("search-solr"), PATIENCE).toBe(0);
    expect(await reindex("--shadow", "--check")).toContain(
      `${written} works compared with their records, 0 of`,
    );
    await startWith("solr");
    expect(await whales()).toBe(written);
    await write(10);
    await expect.poll(whales, PATIENCE).toBe(written);
    await expect.poll(() => behind("search"), PATIENCE).toBe(0);
    expect(await reindex("--shadow", "--check")).toContain(
      `${written} works compared with their records, 0 of`,
    );
    await startWith("embedded");
    expect(await whales()).toBe(written);
  },
  TIMEOUT_MS,
);

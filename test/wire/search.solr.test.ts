// The service with a SolrCloud of two nodes, one of which dies.
import { readFile, mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
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
let url = "";
let token = "";

beforeAll(async () => {
  if (missing !== undefined) return;
  cloud = await startSolrCloud({ nodes: 2 });
  const [first = "", second = ""] = cloud.nodes.map((node) => node.url);
  await setUpSolr({ url: first, collection: "carrel", shards: 2, replicas: 2, say: () => undefined });
  const state = path.join(await mkdtemp(path.join(os.tmpdir(), "carrel-solr-")), "state");
  // The second node is the one that can die, as the first one runs ZooKeeper.
  service = ServiceProcess.start(["--bare", "--solr", second, "--state", state]);
  url = await service.ready(180);
  token = (await readFile(path.join(state, "load-token"), "utf8")).trim();
}, TIMEOUT_MS);

afterAll(async () => {
  service?.kill();
  await cloud?.stop();
});

async function load(from: number, to: number): Promise<void> {
  const lines = Array.from({ length: to - from }, (_empty, at) => {
    const key = `/works/OL${from + at}W`;
    const type = { key: "/type/work" };
    const time = { type: "/type/datetime", value: "2026-11-01T00:00:00" };
    const work = {
      key,
      type,
      title: `Whale number ${from + at}`,
      revision: 1,
      created: time,
      last_modified: time,
    };
    return ["/type/work", key, 1, "2026-11-01T00:00:00", JSON.stringify(work)].join("\t");
  });
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/system/load`, { method: "POST", headers, body: lines.join("\n") });
  expect(response.status, await response.clone().text()).toBe(200);
}

/** Counts the works that match `whale`. Returns status and `Retry-After` of any other response. */
async function whales(): Promise<number | string> {
  const response = await fetch(`${url}/search.json?q=whale&limit=0`);
  if (!response.ok) return `${response.status} ${response.headers.get("Retry-After")}`;
  return Object(await response.json()).numFound;
}

test.skipIf(missing !== undefined)(
  "nothing is lost when a node of Solr dies during updates",
  async () => {
    const [, node] = cloud?.nodes ?? [];
    await load(1, 101);
    await expect.poll(whales, PATIENCE).toBe(100);
    const more = Array.from({ length: 10 }, (_empty, at) => load(101 + at * 50, 151 + at * 50));
    await node?.kill();
    await Promise.all(more);
    await expect.poll(whales, PATIENCE).toBe("503 5");
    expect((await fetch(`${url}/works/OL600W.json`)).status).toBe(200);
    const status = Object(await (await fetch(`${url}/status.json`)).json());
    expect(status).toMatchObject({ status: "degraded", dependencies: { solr: { ok: false } } });
    await node?.start();
    // Documents stored meanwhile are in the log, so the next run of the indexer writes them.
    await load(601, 602);
    await expect.poll(whales, PATIENCE).toBe(601);
    await expect
      .poll(async () => (await fetch(`${url}/search.json?q=number 600`)).status, PATIENCE)
      .toBe(200);
  },
  TIMEOUT_MS,
);

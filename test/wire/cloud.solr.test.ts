import { mkdtempSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { solrMissing, startSolrCloud } from "../../scripts/lib/solr-cloud.ts";
import { reportSolrSkip } from "../support/node/skips.ts";

const TIMEOUT_MS = 300_000;
const POLL = { timeout: 120_000, interval: 500 };
const SCHEMA = `<schema name="tiny" version="1.7"><uniqueKey>id</uniqueKey>
  <fieldType name="string" class="solr.StrField"/><fieldType name="long" class="solr.LongPointField" docValues="true"/>
  <field name="id" type="string" indexed="true" stored="true" required="true"/>
  <field name="_version_" type="long" indexed="false" stored="false"/></schema>`;
const CONFIG = `<config><luceneMatchVersion>9.12</luceneMatchVersion><schemaFactory class="ClassicIndexSchemaFactory"/>
  <updateHandler class="solr.DirectUpdateHandler2"><updateLog/></updateHandler>
  <requestHandler name="/select" class="solr.SearchHandler"/></config>`;

const missing = await solrMissing();
if (missing !== undefined) reportSolrSkip(missing);

test.skipIf(missing !== undefined)(
  "a node is killed and comes back with what was written meanwhile",
  async () => {
    const cloud = await startSolrCloud({ nodes: 2, configs: { tiny: configSet() } });
    const [first = "", second = ""] = cloud.nodes.map(({ url }) => url);
    try {
      await ask(
        `${first}/admin/collections?action=CREATE&name=books&numShards=1&replicationFactor=2&collection.configName=tiny`,
      );
      expect(await added(first, "before")).toBe(200);
      await cloud.nodes[1]?.kill();
      await expect(fetch(second)).rejects.toThrow();
      // The node that was killed may have been the leader: another one is elected once it is missed.
      await expect.poll(() => added(first, "meanwhile"), POLL).toBe(200);
      await cloud.nodes[1]?.start();
      await expect.poll(() => countOf(second), POLL).toBe(2);
    } finally {
      await cloud.stop();
    }
    await expect(fetch(first)).rejects.toThrow();
  },
  TIMEOUT_MS,
);

test("what is missing is said in a line", async () => {
  // A folder without commands.
  const env = { ...process.env, PATH: mkdtempSync(path.join(os.tmpdir(), "carrel-no-path-")) };
  const run = promisify(execFile)(process.execPath, ["scripts/solr-cloud.ts"], { env });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: "\nSolr needs Java 17: there is no command `java`\n",
  });
});

function configSet(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "carrel-solr-config-"));
  writeFileSync(path.join(folder, "schema.xml"), SCHEMA);
  writeFileSync(path.join(folder, "solrconfig.xml"), CONFIG);
  return folder;
}

/** The status of a document's update. */
async function added(url: string, id: string): Promise<number> {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify([{ id }]);
  return (await fetch(`${url}/books/update?commit=true`, { method: "POST", headers, body })).status;
}

/** Counts the documents in a node's own core; 0 while it has no core. */
async function countOf(url: string): Promise<number> {
  const response = await fetch(`${url}/books/select?q=*:*&rows=0&shards.preference=replica.location:local`);
  if (!response.ok) return 0;
  // Shape of an answer of Solr.
  const { response: found } = (await response.json()) as { response: { numFound: number } };
  return found.numFound;
}

async function ask(url: string): Promise<void> {
  const response = await fetch(url);
  expect(response.status, await response.text()).toBe(200);
}

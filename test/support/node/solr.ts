import type { TestProject } from "vitest/node";
import { solrMissing, startSolrCloud } from "../../../scripts/lib/solr-cloud.ts";
import { setUpSolr } from "../../../scripts/lib/solr-setup.ts";
import { reportSolrSkip } from "./skips.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the tests' Solr; empty if none can be started. */
    solr: string;
  }
}

/** Starts a Solr with the collections of an index, or says why not. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = await solrMissing();
  if (missing !== undefined) {
    reportSolrSkip(missing);
    project.provide("solr", "");
    return async () => {};
  }
  const { nodes, stop } = await startSolrCloud({ nodes: 1 });
  const url = nodes[0]?.url ?? "";
  await setUpSolr({ url, collection: "carrel", say: () => undefined });
  project.provide("solr", url);
  return stop;
}

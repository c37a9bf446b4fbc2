import { env } from "cloudflare:workers";
import { type SolrSettings, Collection } from "../../../src/db/solr/client.ts";
import { createSolrEngine } from "../../../src/db/solr/solr-engine.ts";
import { createSolrIndex } from "../../../src/db/solr/solr-index.ts";
import type { Generation, SearchEngine, SearchIndex } from "../../../src/search/engine.ts";

/** The Solr of the tests. */
export const SOLR: SolrSettings = { url: env.SOLR_URL, credentials: "", collection: env.SOLR_COLLECTION };

/** Returns the search engine of a generation. */
export function solrEngine(generation: Generation): SearchEngine {
  return createSolrEngine(SOLR, generation, { prefix: "OL" });
}

/** Returns the index of a generation, for writes. */
export function solrIndex(generation: Generation, now = Date.now()): SearchIndex {
  return createSolrIndex(
    SOLR,
    { database: env.SEARCH, engine: "solr" },
    { generations: [generation], prefix: "OL", now: () => now },
  );
}

/** Empties both generations. */
export async function emptySolr(): Promise<void> {
  for (const generation of ["a", "b"]) {
    await new Collection(SOLR, generation).update({ delete: { query: "*:*" } }, true);
  }
}

import type { IndexOptions } from "../../db/indexing/apply.ts";
import { readIndexWork } from "../../db/indexing/look-up.ts";
import { createIndex } from "../../db/indexing/search-index.ts";
import { type IndexNotes, generationsToWrite } from "../../db/indexing/index-state.ts";
import type { SolrSettings } from "../../db/solr/client.ts";
import { createSolrIndex } from "../../db/solr/solr-index.ts";
import type { Lookup, SearchIndex } from "../../search/engine.ts";

interface IndexHome extends Pick<IndexOptions, "prefix" | "now"> {
  search: IndexNotes;
  solr: SolrSettings | undefined;
}

export function makeIndex(
  { search, solr, prefix, now }: IndexHome,
  options: Pick<IndexOptions, "generations" | "aggregates" | "known">,
): SearchIndex {
  const all = { ...options, prefix, now };
  if (search.engine === "embedded") return createIndex(search.database, all);
  if (solr === undefined) throw new Error("an index in Solr without its address");
  return createSolrIndex(solr, search, all);
}

/**
 * Returns the index to write changes to, with its state, its jobs that are due at `now` (naive UTC) and the result of
 * `lookUp`. One round trip with the embedded engine.
 */
export async function openIndex(home: IndexHome, query: { now: string; limit: number; lookup: Lookup }) {
  const { state, jobs, found } = await readIndexWork(home.search, { ...query, prefix: home.prefix });
  const index = makeIndex(home, { generations: generationsToWrite(state) });
  return { state, jobs, index, found: found ?? (await index.lookUp(query.lookup)) };
}

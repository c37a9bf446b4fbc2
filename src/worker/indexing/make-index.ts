import type { IndexOptions } from "../../db/indexing/apply.ts";
import { createIndex } from "../../db/indexing/search-index.ts";
import type { IndexNotes } from "../../db/search/generation.ts";
import type { SolrSettings } from "../../db/solr/client.ts";
import { createSolrIndex } from "../../db/solr/solr-index.ts";
import type { SearchIndex } from "../../search/engine.ts";

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

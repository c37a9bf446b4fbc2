import type { Generation, Facets } from "../../search/engine.ts";
import type { Database } from "../statement.ts";

/**
 * Function that returns the cached value of a name, at most some minutes old, or computes it. Resolves to the value and
 * its time in milliseconds since the epoch.
 */
type FacetKeeper = (
  name: string,
  make: () => Promise<Facets["fields"]>,
) => Promise<{ readonly fields: Facets["fields"]; readonly asOf: number }>;

/** Counts for one version of the full text of works (src/db/search/known-counts.ts). */
export interface KnownCounts {
  version: string;
  /** Numbers of works by match. */
  readonly matches: Map<string, number>;
  /** Counted values by match and request. */
  readonly facets: Map<string, Facets["fields"]>;
  /** Numbers of places of words, for some seconds (src/db/search/check-costs.ts). */
  readonly places: Map<string, number>;
}

/** Context for reading the index: database, generation and the prefix of record numbers. */
export interface IndexReader {
  readonly database: Database;
  readonly generation: Generation;
  readonly prefix: string;
  /**
   * Terms matched by wildcards, by id of the vocabulary request, cached for one search request. A search repeated with
   * other spellings asks for the same terms.
   */
  readonly vocabulary?: Map<string, readonly string[]>;
  /** Cached values of codes (`facet_value`) of this generation. They never change. */
  readonly facetValues?: Map<number, string> | undefined;
  /** Counts of this generation that later requests reuse. */
  readonly counts?: KnownCounts | undefined;
  /** Cache for counts over many works, by a name of any length. */
  readonly keepFacets?: FacetKeeper | undefined;
}

import { datetimeText } from "../../catalog/datetime.ts";
import { readIndexState, writtenGenerations } from "../../db/search/generation.ts";
import type { SolrSettings } from "../../db/solr/client.ts";
import type { Database } from "../../db/statement.ts";
import type { Sources, Stores } from "../http/bindings.ts";
import type { Settings } from "../http/settings.ts";
import { indexOf, solrOf } from "../search/engine.ts";

/** What the indexer works with. */
export interface Indexing {
  /** The primary database: an index must not be built from an older copy of the records. */
  readonly catalog: Database;
  /** The home of what is noted about the index: its state, and jobs. */
  readonly search: Database;
  /** Undefined where the index is in D1. */
  readonly solr: SolrSettings | undefined;
  readonly patrons: Database;
  readonly prefix: string;
  readonly deriveItems: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The indexer of a service. */
export function indexingOf(stores: Stores, settings: Settings, { now }: Pick<Sources, "now">): Indexing {
  const { catalog, search, patrons } = stores;
  const { RECORD_PREFIX: prefix, DERIVE_HOLDINGS: deriveItems } = settings;
  return { catalog, search, solr: solrOf(settings), patrons, prefix, deriveItems, now };
}

/**
 * Where changes go, and which cursor says how far: they belong together. While a generation is rebuilt, both are written, and a cursor of its own begins where the
 * rebuild began: everything before that is read by the rebuild itself.
 */
export async function targetOf(indexing: Indexing) {
  const state = await readIndexState(indexing.search);
  const projection = state.phase === null ? "search" : "search-rebuild";
  return { index: indexOf(indexing, { generations: writtenGenerations(state) }), projection } as const;
}

/** A time as databases have it, `milliseconds` from now. */
export function timeFromNow({ now }: Indexing, milliseconds = 0): string {
  return datetimeText(now() + milliseconds);
}

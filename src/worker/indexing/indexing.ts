import { formatDatetime } from "../../catalog/datetime.ts";
import {
  type IndexState,
  type IndexNotes,
  generationsToWrite,
  readIndexState,
} from "../../db/indexing/index-state.ts";
import type { EngineName } from "../../search/engine.ts";
import type { SolrSettings } from "../../db/solr/client.ts";
import type { Database } from "../../db/statement.ts";
import type { Sources, Stores } from "../http/bindings.ts";
import type { Settings } from "../http/settings.ts";
import { makeIndex } from "./make-index.ts";
import { enginesOf, solrOf } from "../search/engine.ts";
import { countTouched, readProgress } from "../../db/indexing/log.ts";
import { countRecords } from "../../db/indexing/ranges.ts";
import { countDueJobs } from "../../db/indexing/jobs.ts";

/** Maximum number of works reindexed together with a changed author or series, and per page of a fan-out job. */
type FanOutLimits = { atOnce: number; page: number };
export const FAN_OUT: FanOutLimits = { atOnce: 500, page: 200 };

export interface Indexing {
  /** The primary database: an index must not be built from an older copy of the records. */
  readonly catalog: Database;
  readonly search: IndexNotes;
  /** Connection to Solr; undefined for the embedded engine. */
  readonly solr: SolrSettings | undefined;
  readonly patrons: Database;
  readonly prefix: string;
  readonly deriveItems: boolean;
  readonly showing?: FanOutLimits;
  now(): number;
}

/** Returns the indexers: first that of the engine in use, then those of shadow engines. */
export function indexingsOf(
  stores: Stores,
  settings: Settings,
  { now }: Pick<Sources, "now">,
): [Indexing, ...Indexing[]] {
  const { catalog, search: database, patrons } = stores;
  const { RECORD_PREFIX: prefix, DERIVE_HOLDINGS: deriveItems } = settings;
  const shared = { catalog, solr: solrOf(settings), patrons, prefix, deriveItems, now };
  const toIndexing = (engine: EngineName): Indexing => ({ ...shared, search: { database, engine } });
  const [answering, ...shadows] = enginesOf(settings);
  return [toIndexing(answering), ...shadows.map(toIndexing)];
}

export function indexingOf(...of: Parameters<typeof indexingsOf>): Indexing {
  return indexingsOf(...of)[0];
}

/** Cursor names by engine: the position in the log of the index, the same of a rebuild, and the position in the counts. */
export const PROJECTIONS = {
  embedded: { log: "search", rebuild: "search-rebuild", counts: "counts" },
  solr: { log: "search-solr", rebuild: "search-solr-rebuild", counts: "counts-solr" },
} as const satisfies Readonly<Record<EngineName, unknown>>;

/** Returns the index to write changes to, and the cursor that belongs to it. */
export async function indexTarget(indexing: Indexing) {
  const state = await readIndexState(indexing.search);
  const index = makeIndex(indexing, { generations: generationsToWrite(state) });
  return { index, projection: projectionIn(indexing, state) };
}

/**
 * Returns the cursor of an index. During a rebuild both generations are written, with a separate cursor from the start of
 * the rebuild on: the rebuild itself reads all earlier changes. It is not behind the usual cursor until the rebuild ends,
 * and not ahead of it afterwards.
 */
export function projectionIn({ search }: Indexing, { phase }: IndexState): string {
  const { log, rebuild } = PROJECTIONS[search.engine];
  return phase === null ? log : rebuild;
}

/** Returns the time `milliseconds` from now, in the format of the databases. */
export function timeFromNow({ now }: Indexing, milliseconds = 0): string {
  return formatDatetime(now() + milliseconds);
}

/** Maximum number of changed records to follow by the log. With more, a rebuild is shorter. */
const FOLLOW_RECORDS_MAX = 100_000;
/** Minimum number of changed records, and minimum share of the catalog, with which a rebuild is shorter. */
const REBUILD_RECORDS = 1000;
const REBUILD_SHARE = 0.5;

/**
 * Reads the progress of an index: its position in the log, the newest change, the number of changed records between
 * them, the number of due jobs, and whether it is being rebuilt, or a rebuild would be shorter.
 */
export async function indexProgress(indexing: Indexing) {
  const { catalog, search } = indexing;
  const state = await readIndexState(search);
  const { cursor, end } = await readProgress(catalog, projectionIn(indexing, state));
  const records = cursor >= end ? 0 : await countTouched(catalog, cursor);
  const jobs = await countDueJobs(search, timeFromNow(indexing));
  const rebuild = state.phase !== null || (await isRebuildShorter(indexing, records));
  return { change: cursor, end, records, jobs, rebuild };
}

export async function isRebuildShorter({ catalog }: Indexing, records: number): Promise<boolean> {
  if (records > FOLLOW_RECORDS_MAX) return true;
  if (records < REBUILD_RECORDS) return false;
  const { works, editions, authors, lists } = await countRecords(catalog);
  return records > REBUILD_SHARE * (works + editions + authors + lists);
}

import { datetimeText } from "../../catalog/datetime.ts";
import {
  type EngineName,
  type IndexNotes,
  readIndexState,
  writtenGenerations,
} from "../../db/search/generation.ts";
import type { SolrSettings } from "../../db/solr/client.ts";
import type { Database } from "../../db/statement.ts";
import type { Sources, Stores } from "../http/bindings.ts";
import type { Settings } from "../http/settings.ts";
import { enginesOf, indexOf, solrOf } from "../search/engine.ts";
import { countTouched } from "../../db/indexing/log.ts";
import { countRecords } from "../../db/indexing/pages.ts";
import { readProgress } from "../../db/indexing/cursor.ts";
import { countDueJobs } from "../../db/indexing/jobs.ts";

/** Bounds of following an author or a series that works show. */
export interface ShowingLimits {
  /** Works that are built at once; more become a job. */
  readonly atOnce: number;
  /** Works that one run of such a job builds. */
  readonly page: number;
}

/** What the indexer works with. */
export interface Indexing {
  /** The primary database: an index must not be built from an older copy of the records. */
  readonly catalog: Database;
  /** What is noted about the index: its state, and jobs. */
  readonly search: IndexNotes;
  /** How to reach it, where the index is in Solr. */
  readonly solr: SolrSettings | undefined;
  readonly patrons: Database;
  readonly prefix: string;
  readonly deriveItems: boolean;
  /** Default: the limits of the service. */
  readonly showing?: ShowingLimits;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The indexers of a service: that of the engine that answers, and that of the one in its shadow. */
export function indexingsOf(
  stores: Stores,
  settings: Settings,
  { now }: Pick<Sources, "now">,
): [Indexing, ...Indexing[]] {
  const { catalog, search: database, patrons } = stores;
  const { RECORD_PREFIX: prefix, DERIVE_HOLDINGS: deriveItems } = settings;
  const shared = { catalog, solr: solrOf(settings), patrons, prefix, deriveItems, now };
  const of = (engine: EngineName): Indexing => ({ ...shared, search: { database, engine } });
  const [answering, ...shadows] = enginesOf(settings);
  return [of(answering), ...shadows.map(of)];
}

/** The indexer of the engine that answers. */
export function indexingOf(...of: Parameters<typeof indexingsOf>): Indexing {
  return indexingsOf(...of)[0];
}

/** Names of cursors: how far an index has followed the log, the same of one that is rebuilt, and how far it has taken over counts. */
export const PROJECTIONS = {
  embedded: { log: "search", rebuild: "search-rebuild", counts: "counts" },
  solr: { log: "search-solr", rebuild: "search-solr-rebuild", counts: "counts-solr" },
} as const satisfies Readonly<Record<EngineName, unknown>>;

/**
 * Where changes go, and which cursor says how far: they belong together. While a generation is rebuilt, both are written, and
 * a cursor of its own begins where the rebuild began: everything before that is read by the rebuild itself.
 */
export async function targetOf(indexing: Indexing) {
  const state = await readIndexState(indexing.search);
  const { log, rebuild } = PROJECTIONS[indexing.search.engine];
  const projection = state.phase === null ? log : rebuild;
  return { index: indexOf(indexing, { generations: writtenGenerations(state) }), projection };
}

/** A time as databases have it, `milliseconds` from now. */
export function timeFromNow({ now }: Indexing, milliseconds = 0): string {
  return datetimeText(now() + milliseconds);
}

/** Records that an index is behind by, at most, and is still brought up to date by the log and not by a rebuild. */
const FOLLOW_RECORDS_MAX = 100_000;
/** Records behind, and their share of the catalog, from which on a rebuild is the shorter way. */
const REBUILD_RECORDS = 1000;
const REBUILD_SHARE = 0.5;

/**
 * How far the index is: the change up to which it has followed the log, the newest one, records with changes that are
 * yet to be followed, jobs that may begin, and whether a rebuild would be shorter.
 */
export async function indexProgress(indexing: Indexing) {
  const { catalog, search } = indexing;
  const { projection } = await targetOf(indexing);
  const { cursor, end } = await readProgress(catalog, projection);
  const records = cursor >= end ? 0 : await countTouched(catalog, cursor);
  const jobs = await countDueJobs(search, timeFromNow(indexing));
  return { change: cursor, end, records, jobs, rebuild: await isRebuildShorter(indexing, records) };
}

/** Whether a rebuild takes less than to follow changes of so many records. */
export async function isRebuildShorter({ catalog }: Indexing, records: number): Promise<boolean> {
  if (records > FOLLOW_RECORDS_MAX) return true;
  if (records < REBUILD_RECORDS) return false;
  const { works, editions, authors, lists } = await countRecords(catalog);
  return records > REBUILD_SHARE * (works + editions + authors + lists);
}

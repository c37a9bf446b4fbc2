import type { Facets } from "../../search/engine.ts";
import { type Database, type Statement, batchRows, firstRow, firstValue, run } from "../statement.ts";

/** The index stands twice: one generation answers while the other is being rebuilt (docs/storage.md). */
export type Generation = "a" | "b";

/** What an index is in. */
export const ENGINES = ["embedded", "solr"] as const;
export type EngineName = (typeof ENGINES)[number];

/** Where it is noted how an index is: of each engine in tables of its own. */
export interface IndexNotes {
  /** `SEARCH`, whatever the index itself is in. */
  readonly database: Database;
  readonly engine: EngineName;
}

/** The table that says how an index is, by its engine. */
export const STATES: Readonly<Record<EngineName, string>> = {
  embedded: "index_state",
  solr: "index_state_solr",
};

/** Which generation answers, and where a rebuild of the other one stands. */
export interface IndexState {
  readonly live: Generation;
  /** Step of the rebuild; null when there is none. */
  readonly phase: string | null;
  readonly position: number;
  readonly done: number;
  readonly total: number;
  readonly started: string | null;
}

/** The state of the index. One statement. */
export async function readIndexState({ database, engine }: IndexNotes): Promise<IndexState> {
  const sql = `SELECT live, phase, position, done, total, started FROM ${STATES[engine]}`;
  const state = await firstRow<IndexState>(database, { sql, values: [] });
  if (state === undefined) throw new Error("the search database has no state");
  return state;
}

/** The other one of the two. */
export function otherGeneration(generation: Generation): Generation {
  return generation === "a" ? "b" : "a";
}

/** The other generation: the one that is rebuilt or empty. */
export function idleGeneration({ live }: Pick<IndexState, "live">): Generation {
  return otherGeneration(live);
}

/** The generations that take writes: the live one, and during a rebuild the other one too. */
export function writtenGenerations(state: IndexState): [Generation, ...Generation[]] {
  return state.phase === null ? [state.live] : [state.live, idleGeneration(state)];
}

/** The first step of a rebuild, which empties the generation. */
export const CLEARING = "clear";

/** Where a rebuild goes on, and how many more records it has done. */
export interface RebuildPlace extends Pick<IndexState, "phase" | "position"> {
  readonly records: number;
}

/** Begins a rebuild of the idle generation, from the first step on, whatever was under way, with what goes with it. */
export async function startRebuild(
  { database, engine }: IndexNotes,
  { phase, total, started }: { phase: string; total: number; started: string },
  more: readonly Statement[],
): Promise<void> {
  const sql = `UPDATE ${STATES[engine]}
               SET phase = ?1, position = 0, done = 0, total = ?2, started = ?3, term = NULL`;
  await batchRows(database, [{ sql, values: [phase, total, started] }, ...more]);
}

/** Notes a rebuild's next place, unless another worker was faster. */
export async function moveRebuild(
  { database, engine }: IndexNotes,
  from: IndexState,
  { phase, position, records }: RebuildPlace,
): Promise<void> {
  const sql = `UPDATE ${STATES[engine]} SET phase = ?1, position = ?2, done = done + ?3
               WHERE phase = ?4 AND position = ?5 AND started = ?6`;
  const values = [phase, position, records, from.phase, from.position, from.started];
  await run(database, { sql, values });
}

/** Lets the rebuilt generation answer. The rebuild is then in the step `phase`. */
export async function swapGenerations(
  { database, engine }: IndexNotes,
  from: IndexState,
  phase: string,
): Promise<void> {
  const sql = `UPDATE ${STATES[engine]} SET live = ?1, phase = ?2, position = 0
               WHERE phase = ?3 AND live = ?4 AND started = ?5`;
  const values = [idleGeneration(from), phase, from.phase, from.live, from.started];
  await run(database, { sql, values });
}

/** The last term that a pass over the terms of the index has looked at; null between passes. */
export async function readTerm({ database, engine }: IndexNotes): Promise<string | null> {
  const sql = `SELECT term FROM ${STATES[engine]}`;
  return (await firstValue<string | null>(database, { sql, values: [] })) ?? null;
}

/** Notes where such a pass stands. */
export async function setTerm({ database, engine }: IndexNotes, term: string | null): Promise<void> {
  await run(database, { sql: `UPDATE ${STATES[engine]} SET term = ?1`, values: [term] });
}

/** Resolves to what was made under a name some minutes ago, or is made now, and when, in milliseconds since the epoch. */
type FacetKeeper = (
  name: string,
  make: () => Promise<Facets["fields"]>,
) => Promise<{ readonly fields: Facets["fields"]; readonly asOf: number }>;

/** What a reader of the index needs: the database, which generation answers, the prefix of record numbers. */
export interface IndexReader {
  readonly database: Database;
  readonly generation: Generation;
  readonly prefix: string;
  /**
   * Terms that wildcards stand for, by the id of the request, kept for as long as the reader is used: one request.
   * A search that is made once more with other spellings asks for the same.
   */
  readonly vocabulary?: Map<string, readonly string[]>;
  /** What codes of this generation stand for (`facet_value`), as far as it is known: that never changes. */
  readonly facetValues?: Map<number, string> | undefined;
  /** Counts over many works, kept under a name of any length, or made. */
  readonly keepFacets?: FacetKeeper | undefined;
}

/** The part of the catalog that a search database holds: records whose number modulo `shards` is `shard`. */
export async function readShard(search: Database) {
  const sql = "SELECT shard, shards FROM shard";
  const row = await firstRow<{ shard: number; shards: number }>(search, { sql, values: [] });
  if (row === undefined) throw new Error("the search database has no shard");
  return row;
}

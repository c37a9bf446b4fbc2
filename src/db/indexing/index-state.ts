import { type Statement, type Database, firstValue, run, batchRows, firstRow } from "../statement.ts";
import { type Generation, type EngineName, otherGenerationOf } from "../../search/engine.ts";
/** Location of the state of an index: each engine has its own tables. */
export interface IndexNotes {
  readonly database: Database;
  readonly engine: EngineName;
}

export const STATES: Readonly<Record<EngineName, string>> = {
  embedded: "index_state",
  solr: "index_state_solr",
};

const COLUMNS = "live, phase, position, done, total, started, held";

/** State of an index: the live generation, and the progress of rebuilding the other one. */
export interface IndexState {
  readonly live: Generation;
  readonly phase: string | null;
  readonly position: number;
  readonly done: number;
  readonly total: number;
  readonly started: string | null;
  /** Time of the last successful call of the rebuild; in the future while an operator's command drives it. */
  readonly held: string;
}

/** Reads the state of the index. Throws if there is none. One statement. */
export async function readIndexState(notes: IndexNotes): Promise<IndexState> {
  return requireState(await firstRow<IndexState>(notes.database, stateStatement(notes)));
}

/** Returns the statement of `readIndexState`, for `requireState`. */
export function stateStatement({ engine }: IndexNotes): Statement {
  return {
    sql: `SELECT ${COLUMNS} FROM ${STATES[engine]}`,
    values: [],
  };
}

export function requireState(state: IndexState | undefined): IndexState {
  if (state === undefined) throw new Error("the search database has no state");
  return state;
}

/** Returns the generation that is not live: being rebuilt, or empty. */
export function idleGenerationOf({ live }: Pick<IndexState, "live">): Generation {
  return otherGenerationOf(live);
}

/** Returns the generations to write: the live one, and during a rebuild the other one too. */
export function generationsToWrite(state: IndexState): [Generation, ...Generation[]] {
  return state.phase === null ? [state.live] : [state.live, idleGenerationOf(state)];
}

/** First step of a rebuild, which empties the generation. */
export const CLEARING = "clear";

export interface RebuildPlace extends Pick<IndexState, "phase" | "position"> {
  readonly records: number;
}

/**
 * Starts a rebuild of the idle generation from the first step, replacing any other rebuild, together with further
 * statements.
 */
export async function startRebuild(
  { database, engine }: IndexNotes,
  { phase, total, started }: { phase: string; total: number; started: string },
  more: readonly Statement[],
): Promise<void> {
  const sql = `UPDATE ${STATES[engine]}
               SET phase = ?1, position = 0, done = 0, total = ?2, started = ?3, held = ?3, term = NULL`;
  await batchRows(database, [{ sql, values: [phase, total, started] }, ...more]);
}

/** Stores that a call of the rebuild succeeded at `until`, or that its caller drives it until then. Returns the state. */
export async function holdRebuild({ database, engine }: IndexNotes, until: string): Promise<IndexState> {
  const sql = `UPDATE ${STATES[engine]} SET held = max(held, ?1) RETURNING ${COLUMNS}`;
  return requireState(await firstRow<IndexState>(database, { sql, values: [until] }));
}

/** Stores the next position of a rebuild, unless another worker was faster. */
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

/** Makes the rebuilt generation live. The rebuild continues with the step `phase`. */
export async function swapGenerations(
  { database, engine }: IndexNotes,
  from: IndexState,
  phase: string,
): Promise<void> {
  const sql = `UPDATE ${STATES[engine]} SET live = ?1, phase = ?2, position = 0
               WHERE phase = ?3 AND live = ?4 AND started = ?5`;
  const values = [idleGenerationOf(from), phase, from.phase, from.live, from.started];
  await run(database, { sql, values });
}

export async function readTerm({ database, engine }: IndexNotes): Promise<string | null> {
  const sql = `SELECT term FROM ${STATES[engine]}`;
  return (await firstValue<string | null>(database, { sql, values: [] })) ?? null;
}

/** Stores the last term handled by a pass; null at its end. */
export async function setTerm({ database, engine }: IndexNotes, term: string | null): Promise<void> {
  await run(database, { sql: `UPDATE ${STATES[engine]} SET term = ?1`, values: [term] });
}

/**
 * Reads the part of the catalog in a search database: records whose number modulo `shards` is `shard`. Throws if the
 * database has no shard.
 */
export async function readShard(search: Database) {
  const sql = "SELECT shard, shards FROM shard";
  const row = await firstRow<{ shard: number; shards: number }>(search, { sql, values: [] });
  if (row === undefined) throw new Error("the search database has no shard");
  return row;
}

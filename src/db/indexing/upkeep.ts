import { type Generation, type IndexState, idleGeneration } from "../search/generation.ts";
import { type Database, firstRow, run } from "../statement.ts";

/** Full-text tables of a generation, largest first. */
export const TEXT_TABLES = ["work_text", "edition_text", "author_text", "subject_text", "list_text"] as const;
/** Those that works and their editions are written to. */
export const WORK_TEXT_TABLES = TEXT_TABLES.slice(0, 2);
export type TextTable = (typeof TEXT_TABLES)[number];

/** Pages of full text that one call merges: a bounded piece of time. */
const MERGE_PAGES_MAX = 2000;
/** A merge that finds nothing to do changes one row: that of the command itself. */
const IDLE_CHANGES = 1;

/**
 * Merges a bounded part of a table's segments, so that queries have fewer to look at; true while there is more to
 * do. `whole` begins a merge of all segments to one, which further calls without it carry on; without it only
 * levels with many segments are merged.
 */
export async function mergeStep(
  search: Database,
  { table, generation, whole }: { table: TextTable; generation: Generation; whole: boolean },
): Promise<boolean> {
  const name = `${table}_${generation}`;
  const sql = `INSERT INTO ${name} (${name}, rank) VALUES ('merge', ?1)`;
  const values = [whole ? -MERGE_PAGES_MAX : MERGE_PAGES_MAX];
  return (await run(search, { sql, values })) > IDLE_CHANGES;
}

/** Rows that one step deletes. */
const CLEARED_ROWS_MAX = 20_000;

/** The other tables of a generation, with the columns of their key. */
const TABLES = {
  work: "id",
  work_document: "id",
  work_ranking: "id",
  work_value: "field, value, id",
  edition: "work, rank",
  author: "id",
  subject: "id",
  list: "id",
  spelling: "term",
  tombstone: "key",
};

/**
 * One bounded step of emptying a generation: a full-text table, or so many rows of another. Resolves to true when
 * nothing is left; calling it again is harmless. Never for the generation that answers.
 */
export async function clearStep(database: Database, generation: Generation): Promise<boolean> {
  for (const name of TEXT_TABLES) {
    // Tables are emptied one after the other, in as many calls.
    if (await clearFullText(database, `${name}_${generation}`)) return false;
  }
  for (const [name, key] of Object.entries(TABLES)) {
    const table = `${name}_${generation}`;
    const sql = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} LIMIT ${CLEARED_ROWS_MAX})`;
    if ((await run(database, { sql, values: [] })) > 0) return false;
  }
  // A pass over the terms that were is no use any more: see subjects.ts.
  await run(database, { sql: "UPDATE index_state SET term = NULL", values: [] });
  return true;
}

/** All rows at once: of full text only whole tables can be freed cheaply. True when there were any. */
async function clearFullText(database: Database, table: string): Promise<boolean> {
  const some = await firstRow(database, { sql: `SELECT rowid FROM ${table} LIMIT 1`, values: [] });
  if (some === undefined) return false;
  await run(database, { sql: `INSERT INTO ${table} (${table}) VALUES ('delete-all')`, values: [] });
  return true;
}

/** Tombstones that one call removes. */
const TOMBSTONES_MAX = 5000;

/** Removes tombstones that were seen before an ISO time; true while there may be more. */
export async function dropTombstones(
  search: Database,
  generation: Generation,
  before: string,
): Promise<boolean> {
  const sql = `DELETE FROM tombstone_${generation} WHERE key IN (
    SELECT key FROM tombstone_${generation} WHERE seen < ?1 ORDER BY seen LIMIT ?2)`;
  return (await run(search, { sql, values: [before, TOMBSTONES_MAX] })) >= TOMBSTONES_MAX;
}

/** Where a rebuild stands. */
export type RebuildPlace = Pick<IndexState, "phase" | "position" | "done">;

/** Begins a rebuild of the idle generation, from the first step on, whatever was under way. */
export async function startRebuild(
  search: Database,
  { phase, total, started }: { phase: string; total: number; started: string },
): Promise<void> {
  const sql =
    "UPDATE index_state SET phase = ?1, position = 0, done = 0, total = ?2, started = ?3, term = NULL";
  await run(search, { sql, values: [phase, total, started] });
}

/** Notes a rebuild's next place, unless another worker was faster. */
export async function moveRebuild(
  search: Database,
  from: IndexState,
  { phase, position, done }: RebuildPlace,
): Promise<void> {
  const sql = `UPDATE index_state SET phase = ?1, position = ?2, done = ?3
               WHERE phase = ?4 AND position = ?5 AND started = ?6`;
  const values = [phase, position, done, from.phase, from.position, from.started];
  await run(search, { sql, values });
}

/** Lets the rebuilt generation answer. The rebuild is then in the step `phase`. */
export async function swapGenerations(search: Database, from: IndexState, phase: string): Promise<void> {
  const sql = `UPDATE index_state SET live = ?1, phase = ?2, position = 0
               WHERE phase = ?3 AND live = ?4 AND started = ?5`;
  const values = [idleGeneration(from), phase, from.phase, from.live, from.started];
  await run(search, { sql, values });
}

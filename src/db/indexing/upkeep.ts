import type { SearchIndex } from "../../search/engine.ts";
import { type Generation, CLEARING } from "../search/generation.ts";
import { type Database, batchRows, run } from "../statement.ts";

/** Full-text tables of a generation, largest first. */
const TEXT_TABLES = ["work_text", "edition_text", "author_text", "subject_text", "list_text"] as const;
/** Those that works and their editions are written to. */
const WORK_TEXT_TABLES = TEXT_TABLES.slice(0, 2);
type TextTable = (typeof TEXT_TABLES)[number];

/** Pages of full text that one call merges: a bounded piece of time. */
const MERGE_PAGES_MAX = 2000;
/** A merge that finds nothing to do changes one row: that of the command itself. */
const IDLE_CHANGES = 1;

/** Tables that a pass of merges goes through, and whether all segments of each become one. */
const PASSES: Readonly<Record<Pass, { readonly tables: readonly TextTable[]; readonly whole: boolean }>> = {
  nightly: { tables: TEXT_TABLES, whole: false },
  works: { tables: WORK_TEXT_TABLES, whole: true },
  whole: { tables: TEXT_TABLES, whole: true },
};
type Pass = Parameters<SearchIndex["merge"]>[0];

/**
 * Merges a bounded part of a table's segments in each generation. Positions are twice the place in the list of tables, and
 * one more once a merge of all segments has begun. Resolves to the next one, undefined at the end.
 */
export async function mergeStep(
  search: Database,
  generations: readonly Generation[],
  { pass, position }: { readonly pass: Pass; readonly position: number },
): Promise<number | undefined> {
  const { tables, whole } = PASSES[pass];
  if (pass === "whole" && position === 0) await setMerging(search, generations, "usual");
  const table = tables[Math.floor(position / 2)];
  if (table === undefined) return undefined;
  const begins = whole && position % 2 === 0;
  let isBusy = false;
  for (const generation of generations) {
    isBusy = (await mergeTable(search, `${table}_${generation}`, begins)) || isBusy;
  }
  if (isBusy) return begins ? position + 1 : position;
  return position - (position % 2) + 2;
}

/**
 * True while there is more to do. `begins` begins a merge of all segments to one, which further calls without it carry
 * on; without such a beginning only levels with many segments are merged.
 */
async function mergeTable(search: Database, table: string, begins: boolean): Promise<boolean> {
  const sql = `INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?1)`;
  const values = [begins ? -MERGE_PAGES_MAX : MERGE_PAGES_MAX];
  return (await run(search, { sql, values })) > IDLE_CHANGES;
}

/** How many segments of a level are merged with the next write, and with how many a write merges all of them. */
const MERGING = {
  /** As FTS5 has it: queries have few segments to look at. */
  usual: { automerge: 4, crisismerge: 16 },
  /** As late as it can: what becomes one segment in the end need not be merged again and again before. */
  late: { automerge: 64, crisismerge: 128 },
};

async function setMerging(
  search: Database,
  generations: readonly Generation[],
  when: keyof typeof MERGING,
): Promise<void> {
  const tables = generations.flatMap((generation) => TEXT_TABLES.map((table) => `${table}_${generation}`));
  const statements = tables.flatMap((table) =>
    Object.entries(MERGING[when]).map(([option, value]) => ({
      // Not bound, or it would be no integer.
      sql: `INSERT INTO ${table} (${table}, rank) VALUES ('${option}', ${value})`,
      values: [],
    })),
  );
  await batchRows(search, statements);
}

/** Rows that one step deletes. */
const CLEARED_ROWS_MAX = 20_000;

/** The other tables of a generation, with the columns of their key. */
const TABLES = {
  work: "id",
  work_document: "id",
  work_ranking: "id",
  work_facet: "id",
  facet_value: "code",
  work_value: "field, value, id",
  edition: "work, rank",
  author: "id",
  subject: "id",
  list: "id",
  spelling: "term",
  tombstone: "key",
};

/**
 * `SearchIndex.clear`: a full-text table, or so many rows of another. What is written next is merged late. Each statement
 * looks whether the generation may be emptied: another worker may have begun to fill it, or to let it answer.
 */
export async function clearStep(database: Database, generation: Generation): Promise<boolean> {
  const isIdle = `(SELECT live <> '${generation}' AND coalesce(phase, '${CLEARING}') = '${CLEARING}' FROM index_state)`;
  for (const name of TEXT_TABLES) {
    const table = `${name}_${generation}`;
    // Of full text only whole tables can be freed cheaply. They are emptied one after the other, in as many calls.
    const sql = `INSERT INTO ${table} (${table}) SELECT 'delete-all' WHERE ${isIdle} AND EXISTS (SELECT 1 FROM ${table})`;
    if ((await run(database, { sql, values: [] })) > 0) return false;
  }
  for (const [name, key] of Object.entries(TABLES)) {
    const table = `${name}_${generation}`;
    const some = `SELECT ${key} FROM ${table} WHERE ${isIdle} LIMIT ${CLEARED_ROWS_MAX}`;
    const sql = `DELETE FROM ${table} WHERE (${key}) IN (${some})`;
    if ((await run(database, { sql, values: [] })) > 0) return false;
  }
  await setMerging(database, [generation], "late");
  // A pass over the terms that were is no use any more: see subjects.ts.
  await run(database, { sql: "UPDATE index_state SET term = NULL WHERE phase IS NOT NULL", values: [] });
  return true;
}

/** Tombstones that one call removes. */
const TOMBSTONES_MAX = 5000;

/** `SearchIndex.dropTombstones`. */
export async function dropTombstones(
  search: Database,
  generation: Generation,
  before: string,
): Promise<boolean> {
  const sql = `DELETE FROM tombstone_${generation} WHERE key IN (
    SELECT key FROM tombstone_${generation} WHERE seen < ?1 ORDER BY seen LIMIT ?2)`;
  return (await run(search, { sql, values: [before, TOMBSTONES_MAX] })) >= TOMBSTONES_MAX;
}

import type { SearchIndex } from "../../search/engine.ts";
import { type Generation, CLEARING } from "../search/generation.ts";
import { type Database, batchRows, run } from "../statement.ts";

/** Full-text tables of a generation, largest first. */
const TEXT_TABLES = ["work_text", "edition_text", "author_text", "subject_text", "list_text"] as const;
const WORK_TEXT_TABLES = TEXT_TABLES.slice(0, 2);
type TextTable = (typeof TEXT_TABLES)[number];

/** Maximum number of full-text pages merged per call, which bounds its duration. */
const MERGE_PAGES_MAX = 2000;
/** Rows changed by a merge that finds nothing to do: that of the command itself. */
const IDLE_CHANGES = 1;

/** Tables of each merge pass. `whole` merges all segments of a table into one. */
const PASSES: Readonly<Record<Pass, { readonly tables: readonly TextTable[]; readonly whole: boolean }>> = {
  nightly: { tables: TEXT_TABLES, whole: false },
  works: { tables: WORK_TEXT_TABLES, whole: true },
  whole: { tables: TEXT_TABLES, whole: true },
};
type Pass = Parameters<SearchIndex["merge"]>[0];

/**
 * Merges a bounded part of a table's segments in each generation. A position is twice the index of the table, plus one
 * once a merge of all segments has started. Resolves to the next position, undefined at the end.
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
 * Merges segments and returns true while there is more to do. `begins` starts a merge of all segments into one, which
 * further calls without it continue. Otherwise only levels with many segments are merged.
 */
async function mergeTable(search: Database, table: string, begins: boolean): Promise<boolean> {
  const sql = `INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?1)`;
  const values = [begins ? -MERGE_PAGES_MAX : MERGE_PAGES_MAX];
  return (await run(search, { sql, values })) > IDLE_CHANGES;
}

/**
 * Number of segments per level that trigger a merge with the next write, and number at which a write merges all of
 * them.
 */
const MERGING = {
  /** Default of FTS5: queries have few segments to search. */
  usual: { automerge: 4, crisismerge: 16 },
  /** As late as possible: segments that end up as one need not be merged repeatedly before. */
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
      // Not bound, because the option must be an integer literal.
      sql: `INSERT INTO ${table} (${table}, rank) VALUES ('${option}', ${value})`,
      values: [],
    })),
  );
  await batchRows(search, statements);
}

const CLEARED_ROWS_MAX = 20_000;

/** Other tables of a generation, with their key columns. */
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
 * Implements `SearchIndex.clear`: empties one full-text table, or deletes a bounded number of rows of another table.
 * Later writes are merged late. Each statement checks that the generation may be cleared, because another worker may
 * have started to fill or activate it.
 */
export async function clearStep(database: Database, generation: Generation): Promise<boolean> {
  const isIdle = `(SELECT live <> '${generation}' AND coalesce(phase, '${CLEARING}') = '${CLEARING}' FROM index_state)`;
  for (const name of TEXT_TABLES) {
    const table = `${name}_${generation}`;
    // Full text can only be freed cheaply by whole tables. They are emptied one per call.
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
  // A pass over the old terms is obsolete: see subjects.ts.
  await run(database, { sql: "UPDATE index_state SET term = NULL WHERE phase IS NOT NULL", values: [] });
  return true;
}

const TOMBSTONES_MAX = 5000;

/** Implements `SearchIndex.dropTombstones`, with a bounded number of rows per call. */
export async function dropTombstones(
  search: Database,
  generation: Generation,
  before: string,
): Promise<boolean> {
  const sql = `DELETE FROM tombstone_${generation} WHERE key IN (
    SELECT key FROM tombstone_${generation} WHERE seen < ?1 ORDER BY seen LIMIT ?2)`;
  return (await run(search, { sql, values: [before, TOMBSTONES_MAX] })) >= TOMBSTONES_MAX;
}

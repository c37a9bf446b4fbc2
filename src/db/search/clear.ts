import { type Database, batchRows, firstRow, prepare } from "../statement.ts";
import type { Generation } from "./generation.ts";
import { TEXT_TABLES } from "./merge.ts";

/** Rows that one step deletes. */
export const CLEARED_ROWS_MAX = 20_000;

/** The other tables of a generation, with the columns of their key. */
const TABLES = [
  { name: "work", key: "id" },
  { name: "work_document", key: "id" },
  { name: "work_ranking", key: "id" },
  { name: "work_value", key: "field, value, id" },
  { name: "edition", key: "work, rank" },
  { name: "author", key: "id" },
  { name: "subject", key: "id" },
  { name: "list", key: "id" },
  { name: "spelling", key: "term" },
  { name: "tombstone", key: "key" },
] as const;

/**
 * One bounded step of emptying a generation: a full-text table, or so many rows of another. Resolves to true when
 * nothing is left; calling it again is harmless. Never for the generation that answers.
 */
export async function clearStep(database: Database, generation: Generation): Promise<boolean> {
  for (const name of TEXT_TABLES) {
    // Tables are emptied one after the other, in as many calls.
    // eslint-disable-next-line no-await-in-loop
    if (await clearFullText(database, `${name}_${generation}`)) return false;
  }
  for (const { name, key } of TABLES) {
    const table = `${name}_${generation}`;
    const sql = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} LIMIT ${CLEARED_ROWS_MAX})`;
    // eslint-disable-next-line no-await-in-loop
    const { meta } = await prepare(database, { sql, values: [] }).run();
    if (meta.changes > 0) return false;
  }
  // A pass over the terms that were is no use any more: see subjects.ts.
  await prepare(database, { sql: "UPDATE index_state SET term = NULL", values: [] }).run();
  return true;
}

/** All rows at once: of full text only whole tables can be freed cheaply. True when there were any. */
async function clearFullText(database: Database, table: string): Promise<boolean> {
  const some = await firstRow(database, { sql: `SELECT rowid FROM ${table} LIMIT 1`, values: [] });
  if (some === undefined) return false;
  await batchRows(database, [{ sql: `INSERT INTO ${table} (${table}) VALUES ('delete-all')`, values: [] }]);
  return true;
}

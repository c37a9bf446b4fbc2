import { type Database, prepare } from "../statement.ts";
import type { Generation } from "./generation.ts";

/** Full-text tables of a generation, largest first. */
export const TEXT_TABLES = ["work_text", "edition_text", "author_text", "subject_text", "list_text"] as const;
/** Those that works and their editions are written to. */
export const WORK_TEXT_TABLES = TEXT_TABLES.slice(0, 2);
export type TextTable = (typeof TEXT_TABLES)[number];

/** Pages of full text that one call merges: a bounded piece of time. */
export const MERGE_PAGES_MAX = 2000;
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
  const { meta } = await prepare(search, { sql, values }).run();
  return meta.changes > IDLE_CHANGES;
}

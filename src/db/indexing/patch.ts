import { popularity, popularityBand } from "../../search/documents/popularity.ts";
import type { SearchIndex } from "../../search/engine.ts";
import { READER_COLUMNS, readerValues } from "../../search/indexing/work-rows.ts";
import type { Generation } from "../search/generation.ts";
import { type Database, batchRows, rows } from "../statement.ts";
import { type Cell, rowStatements } from "./row-statements.ts";

const COUNT_COLUMNS = ["boost", ...READER_COLUMNS];
const TRENDING_COLUMNS = ["trending_score_hourly_sum", "trending_z_score", "trending"];

/**
 * Implements `SearchIndex.patchCounts`. Returns the works whose popularity band changed, because their text row depends
 * on it.
 */
export async function patchCounts(
  database: Database,
  generation: Generation,
  patches: Parameters<SearchIndex["patchCounts"]>[0],
): Promise<number[]> {
  const found = await rows<{ id: number; edition_count: number; boost: number }>(database, {
    sql: `SELECT w.id, w.edition_count, w.boost
          FROM json_each(?1) j JOIN work_${generation} w ON w.id = j.value`,
    values: [JSON.stringify(patches.map(({ id }) => id))],
  });
  const works = new Map(found.map((work) => [work.id, work]));
  const changed: number[] = [];
  const updates = patches.flatMap(({ id, counts }) => {
    const work = works.get(id);
    if (work === undefined) return [];
    const boost = popularity({ edition_count: work.edition_count, counts });
    if (popularityBand(boost) !== popularityBand(work.boost)) changed.push(id);
    return [[id, boost, ...readerValues(counts)]];
  });
  await update(database, generation, { columns: COUNT_COLUMNS, updates });
  return changed;
}

/** Implements `SearchIndex.patchTrending`. */
export async function patchTrending(
  database: Database,
  generation: Generation,
  patches: Parameters<SearchIndex["patchTrending"]>[0],
): Promise<void> {
  const updates = patches.map(({ id, trending: { hourlySum, zScore, slots } }) => [
    id,
    hourlySum,
    zScore,
    slots === undefined ? null : JSON.stringify(slots),
  ]);
  await update(database, generation, { columns: TRENDING_COLUMNS, updates });
}

/** Updates columns of works. Each update holds the number of a work, then the values of the columns. */
async function update(
  database: Database,
  generation: Generation,
  { columns, updates }: { columns: readonly string[]; updates: readonly (readonly Cell[])[] },
): Promise<void> {
  const set = columns.map((column, index) => `${column} = r.c${index + 1}`).join(", ");
  const statements = rowStatements(
    updates,
    (source) => `UPDATE work_${generation} SET ${set} FROM ${source} WHERE work_${generation}.id = r.c0`,
  );
  await batchRows(database, statements);
}

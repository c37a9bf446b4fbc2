import type { StoredAuthor, StoredList } from "../../search/documents/types.ts";
import { popularityScoreOf, popularityBandOf } from "../../search/documents/popularity.ts";
import type { SearchIndex, ShownValues } from "../../search/engine.ts";
import { namesOf } from "../../search/indexing/changed-keys.ts";
import { toFilterToken } from "../../search/indexing/filter-token.ts";
import { authorIdOfKey } from "../../search/indexing/ids.ts";
import { READER_COLUMNS, readerValuesOf } from "../../search/indexing/work-rows.ts";
import type { Generation, IndexReader } from "../search/generation.ts";
import { matchRowsSql, numbersSql } from "../search/text-rows.ts";
import { type Database, type Statement, allValues, batchGroups, batchRows, rows } from "../statement.ts";
import { type IndexOptions, applyUpdate } from "./apply.ts";
import { type Cell, rowStatements } from "./row-statements.ts";
import { rebuildSubjects } from "./subjects.ts";
import { clearStep, dropTombstones, findDifferingWorks, mergeStep } from "./upkeep.ts";

/** Creates the write interface of the embedded index's generations. Methods throw database errors. */
export function createIndex(database: Database, options: IndexOptions): SearchIndex {
  const { generations, prefix } = options;
  const [generation, ...others] = generations;
  return {
    apply: (update) => applyUpdate(database, update, options),
    async patchCounts(patches) {
      const moved = new Set<number>();
      for (const each of generations) {
        for (const id of await patchCounts(database, each, patches)) moved.add(id);
      }
      return [...moved];
    },
    async patchTrending(patches) {
      for (const each of generations) await patchTrending(database, each, patches);
    },
    worksShowing: (shown) => findWorksShowing(database, generations, shown),
    worksPresent: (ids) => findWorksPresent(database, generations, ids),
    namesShown: (keys) => readShownNames({ database, generation, prefix }, keys),
    differing: (works) => findDifferingWorks(database, generation, { works, prefix }),
    worksBetween: ({ from, to }) =>
      allValues<number>(database, {
        sql: `SELECT id FROM work_${generation} WHERE id >= ?1 AND id <= ?2 ORDER BY id`,
        values: [from, to],
      }),
    countSubjects: async () => others.length > 0 || rebuildSubjects(database, generation),
    clear: () => clearStep(database, generation),
    merge: (pass, position) => mergeStep(database, generations, { pass, position }),
    async dropTombstones(before) {
      let isMore = false;
      for (const each of generations) isMore = (await dropTombstones(database, each, before)) || isMore;
      return isMore;
    },
  };
}

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
  const results = await rows<{ id: number; edition_count: number; boost: number }>(database, {
    sql: `SELECT w.id, w.edition_count, w.boost
          FROM json_each(?1) j JOIN work_${generation} w ON w.id = j.value`,
    values: [JSON.stringify(patches.map(({ id }) => id))],
  });
  const works = new Map(results.map((work) => [work.id, work]));
  const changed: number[] = [];
  const updates = patches.flatMap(({ id, counts }) => {
    const work = works.get(id);
    if (work === undefined) return [];
    const boost = popularityScoreOf({ edition_count: work.edition_count, counts });
    if (popularityBandOf(boost) !== popularityBandOf(work.boost)) changed.push(id);
    return [[id, boost, ...readerValuesOf(counts)]];
  });
  await updateWorks(database, generation, { columns: COUNT_COLUMNS, updates });
  return changed;
}

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
  await updateWorks(database, generation, { columns: TRENDING_COLUMNS, updates });
}

/** Updates columns of works. Each update holds the number of a work, then the values of the columns. */
async function updateWorks(
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

async function findWorksShowing(
  search: Database,
  generations: readonly Generation[],
  { code, values, after, limit }: ShownValues,
): Promise<number[]> {
  if (values.length === 0) return [];
  const tokens = values.map((value) => `"${toFilterToken(code, value).replaceAll('"', '""')}"`);
  const match = `token : (${tokens.join(" OR ")})`;
  const ids = await findWorks(search, generations, (generation) => ({
    sql: numbersSql(matchRowsSql(`work_text_${generation}`, "?1"), { limit, after: String(after) }),
    values: [match],
  }));
  return ids.slice(0, limit);
}

async function findWorksPresent(
  search: Database,
  generations: readonly Generation[],
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  return findWorks(search, generations, (generation) => ({
    sql: `SELECT id FROM work_${generation} WHERE id IN (SELECT value FROM json_each(?1))`,
    values: [JSON.stringify(ids)],
  }));
}

async function findWorks(
  search: Database,
  generations: readonly Generation[],
  statementOf: (generation: Generation) => Statement,
): Promise<number[]> {
  const { works } = await batchGroups<{ works: { id: number } }>(search, {
    works: generations.map(statementOf),
  });
  return [...new Set(works.map(({ id }) => id))].sort((a, b) => a - b);
}

async function readShownNames(
  { database, generation, prefix }: IndexReader,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const authors = keys.flatMap((key) => authorIdOfKey(key, prefix) ?? []);
  const namesSql = (table: string, key: string) =>
    `SELECT document FROM ${table}_${generation} WHERE ${key} IN (SELECT value FROM json_each(?1))`;
  const { results } = await batchGroups<{ results: { document: string } }>(database, {
    results: [
      { sql: namesSql("author", "id"), values: [JSON.stringify(authors)] },
      { sql: namesSql("list", "key"), values: [JSON.stringify(keys)] },
    ],
  });
  // The columns hold what `authorRows` and `listRows` returned.
  const documents = results.map(({ document }) => JSON.parse(document) as StoredAuthor | StoredList);
  return new Map(documents.map((document) => [document.key, namesOf(document)]));
}

import type { StoredAuthor, StoredList } from "../../search/documents/types.ts";
import type { SearchIndex, ShownValues } from "../../search/engine.ts";
import { namesOf } from "../../search/indexing/changed-keys.ts";
import { toFilterToken } from "../../search/indexing/filter-token.ts";
import { authorIdOfKey } from "../../search/indexing/ids.ts";
import type { Generation, IndexReader } from "../search/generation.ts";
import { matchRowsSql, numbersSql } from "../search/text-rows.ts";
import { type Database, type Statement, allValues, batchGroups } from "../statement.ts";
import { type IndexOptions, applyUpdate } from "./apply.ts";
import { patchCounts, patchTrending } from "./patch-works.ts";
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
        for (const id of await patchCounts({ database, generation: each, prefix }, patches)) moved.add(id);
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

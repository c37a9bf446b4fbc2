import type { SearchIndex, ShownValues } from "../../search/engine.ts";
import { toFilterToken } from "../../search/indexing/filter-token.ts";
import type { Generation } from "../search/generation.ts";
import { matchRowsSql, numbersSql } from "../search/text-rows.ts";
import { type Database, allValues, batchGroups } from "../statement.ts";
import { type IndexOptions, applyUpdate } from "./apply.ts";
import { lookUp } from "./look-up.ts";
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
    lookUp: (lookup) => lookUp(database, generations, { lookup, prefix }),
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
  const { works } = await batchGroups<{ works: { id: number } }>(search, {
    works: generations.map((generation) => ({
      sql: numbersSql(matchRowsSql(`work_text_${generation}`, "?1"), { limit, after: String(after) }),
      values: [match],
    })),
  });
  const ids = [...new Set(works.map(({ id }) => id))].sort((a, b) => a - b);
  return ids.slice(0, limit);
}

import type { SearchIndex } from "../../search/engine.ts";
import { type Database, allValues } from "../statement.ts";
import { type IndexOptions, applyUpdate } from "./apply.ts";
import { findWorksShowing, lookUp } from "./look-up.ts";
import { patchCounts, patchTrending } from "./patch-works.ts";
import { rebuildSubjects } from "./subjects.ts";
import { clearStep, dropTombstones, findDifferingWorks, mergeStep } from "./upkeep.ts";

/** Creates the write interface of the embedded index's generations. Methods throw database errors. */
export function createIndex(database: Database, options: IndexOptions): SearchIndex {
  const { generations, prefix } = options;
  const [generation, ...others] = generations;
  return {
    apply: (update) => applyUpdate(database, update, options),
    async patchCounts(patches, isApplied) {
      const moved = new Set<number>();
      for (const each of generations) {
        const target = { database, generation: each, prefix };
        for (const id of await patchCounts(target, patches, isApplied)) moved.add(id);
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

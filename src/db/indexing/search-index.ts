import type { SearchIndex } from "../../search/engine.ts";
import type { Database } from "../statement.ts";
import { type IndexOptions, applyUpdate } from "./apply.ts";
import { differingWorks, worksBetween } from "./audit.ts";
import { patchCounts, patchTrending } from "./patch.ts";
import { namesShown, worksPresent, worksShowing } from "./shown.ts";
import { rebuildSubjects } from "./subjects.ts";
import { clearStep, dropTombstones, mergeStep } from "./upkeep.ts";

/** Creates the write interface of the embedded index's generations. Methods throw database errors. */
export function createIndex(database: Database, options: IndexOptions): SearchIndex {
  const { generations, prefix } = options;
  const [generation, ...others] = generations;
  return {
    apply: (update) => applyUpdate(database, update, options),
    async patchCounts(patches) {
      const moved = new Set<number>();
      for (const one of generations) {
        for (const id of await patchCounts(database, one, patches)) moved.add(id);
      }
      return [...moved];
    },
    async patchTrending(patches) {
      for (const one of generations) await patchTrending(database, one, patches);
    },
    worksShowing: (shown) => worksShowing(database, generations, shown),
    worksPresent: (ids) => worksPresent(database, generations, ids),
    namesShown: (keys) => namesShown({ database, generation, prefix }, keys),
    differing: (works) => differingWorks(database, generation, { works, prefix }),
    worksBetween: (range) => worksBetween(database, generation, range),
    countSubjects: async () => others.length > 0 || rebuildSubjects(database, generation),
    clear: () => clearStep(database, generation),
    merge: (pass, position) => mergeStep(database, generations, { pass, position }),
    async dropTombstones(before) {
      let isMore = false;
      for (const one of generations) isMore = (await dropTombstones(database, one, before)) || isMore;
      return isMore;
    },
  };
}

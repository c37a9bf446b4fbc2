import { type ChangedCounts, readChangedCounts, readCountsEnd } from "../../db/patrons/work-counts.ts";
import { advance, readCursor } from "../../db/projections/cursor.ts";
import { readIndexState } from "../../db/search/generation.ts";
import { dropJobs, putJobs } from "../../db/search/jobs.ts";
import { patchCounts } from "../../db/search/patch.ts";
import { keyOfWorkId } from "../../search/index/ids.ts";
import { RETRY_MS, type Writing } from "./apply.ts";
import { type Indexing, targetOf, timeFromNow } from "./indexing.ts";
import { indexWorks } from "./update.ts";

/** Works whose counts are taken over at once. */
export const COUNTED_WORKS_MAX = 500;

/**
 * The projection `counts`, one step of it: takes over ratings and shelf counts that have changed, in place, and
 * builds works anew that have become more or less popular by them. The cursor moves when all is written. Counts of
 * works that the index has not are passed over: whoever builds those reads the counts.
 */
export async function followCounts(indexing: Indexing): Promise<{ cursor: number; end: number }> {
  const { catalog, patrons, search } = indexing;
  const [cursor, end] = [await readCursor(catalog, "counts"), await readCountsEnd(patrons)];
  if (cursor >= end) return { cursor, end };
  const changed = await readChangedCounts(patrons, cursor, COUNTED_WORKS_MAX);
  const last = changed.at(-1);
  if (last === undefined) return { cursor, end };
  const { generations } = targetOf(await readIndexState(search));
  await patch(indexing, changed, { generations, aggregates: true });
  await advance(catalog, "counts", last.version);
  return { cursor: last.version, end };
}

/**
 * A work's new popularity is written before its document is: in between, jobs remember the documents, as a second
 * attempt would see no difference any more.
 */
async function patch(indexing: Indexing, changed: readonly ChangedCounts[], writing: Writing): Promise<void> {
  const { search, prefix } = indexing;
  const due = timeFromNow(indexing, RETRY_MS);
  const jobs = changed.map(({ workId, version }) => ({
    kind: "counts",
    key: keyOfWorkId(workId, prefix),
    position: 0,
    due,
    change: version,
  }));
  await putJobs(search, jobs);
  const patches = changed.map(({ workId, counts }) => ({ id: workId, counts }));
  const moved = new Set<number>();
  for (const generation of writing.generations) {
    for (const id of await patchCounts(search, generation, patches)) moved.add(id);
  }
  await indexWorks(indexing, moved, writing);
  await dropJobs(search, jobs);
}

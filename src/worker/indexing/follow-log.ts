import { nextRange, readTouched } from "../../db/index-sources/log.ts";
import { readProgress, advance } from "../../db/projections/cursor.ts";
import { readIndexState } from "../../db/search/generation.ts";
import { putJobs } from "../../db/search/jobs.ts";
import { keyOfWorkId } from "../../search/index/ids.ts";
import { type Affected, findAffected } from "./affected.ts";
import type { Writing } from "./apply.ts";
import { addShowing } from "./fan-out.ts";
import { type Indexing, targetOf, timeFromNow } from "./indexing.ts";
import { indexAuthors, indexLists, indexWorks } from "./update.ts";

/** Revisions of one step, but always those of one whole change; and of one page of a large change. */
export const STEP_RECORDS = 500;
/** Works that are built anew at once for a page of changes; the others become jobs. */
export const INDEX_WORKS_MAX = 2000;

/** What a step did. */
export interface Step {
  readonly cursor: number;
  readonly end: number;
  /** Works that were built anew. */
  readonly works: number;
}

/**
 * The projection `search`, one step of it: takes the next changes of the log and builds anew what they affect
 * (search.md 11.4). The cursor moves only when all of it has been written or stored as jobs, so a step that breaks
 * off anywhere is done again, with the same effect. Two workers may do the same step at the same time.
 */
export async function followStep(indexing: Indexing): Promise<Step> {
  const { catalog, search } = indexing;
  const target = targetOf(await readIndexState(search));
  const { cursor, end } = await readProgress(catalog, target.projection);
  const range = cursor >= end ? undefined : await nextRange(catalog, cursor, STEP_RECORDS);
  if (range === undefined) return { cursor, end, works: 0 };
  const writing: Writing = { generations: target.generations, aggregates: true };
  let works = 0;
  for (let after = 0; ;) {
    const { touched, isLast } = await readTouched(catalog, range, { after, limit: STEP_RECORDS });
    const affected = await findAffected(indexing, touched, writing.generations);
    // Q66: names of others that documents show change with them.
    await addShowing(indexing, affected, { writing, upTo: range.to });
    works += await writeAffected(indexing, affected, { writing, change: range.to });
    if (isLast) break;
    after = touched.at(-1)?.id ?? after;
  }
  await advance(catalog, target.projection, range.to);
  return { cursor: range.to, end, works };
}

async function writeAffected(
  indexing: Indexing,
  { works, authors, lists }: Affected,
  { writing, change }: { writing: Writing; change: number },
): Promise<number> {
  const ids = [...works];
  const later = ids.splice(INDEX_WORKS_MAX);
  const due = timeFromNow(indexing);
  // Stored before anything is written: what is written must not make a repeated step see less.
  await putJobs(
    indexing.search,
    later.map((id) => ({
      kind: "document",
      key: keyOfWorkId(id, indexing.prefix),
      position: 0,
      due,
      change,
    })),
  );
  await indexWorks(indexing, ids, writing);
  await indexAuthors(indexing, [...authors], writing);
  await indexLists(indexing, [...lists], writing);
  return ids.length;
}

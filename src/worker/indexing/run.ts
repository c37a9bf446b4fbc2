import { followCounts } from "./counts.ts";
import { followStep } from "./follow-log.ts";
import type { Indexing } from "./indexing.ts";
import { runJobs } from "./jobs.ts";

/** How long one run goes on taking steps, in milliseconds; the step under way is finished. */
export const RUN_MS = 10_000;

/** What a run left: true when there is more to do at once. */
export interface Run {
  readonly isBehind: boolean;
  /** Works that were built anew. */
  readonly works: number;
}

/**
 * Brings the index up to date as far as the time allows: first the log, then counts, then jobs. Whoever calls it
 * calls it again while it is behind.
 */
export async function indexNow(indexing: Indexing, milliseconds = RUN_MS): Promise<Run> {
  const deadline = indexing.now() + milliseconds;
  let works = 0;
  const isOver = (): boolean => indexing.now() >= deadline;
  for (;;) {
    const step = await followStep(indexing);
    works += step.works;
    if (step.cursor >= step.end) break;
    if (isOver()) return { isBehind: true, works };
  }
  for (;;) {
    const { cursor, end } = await followCounts(indexing);
    if (cursor >= end) break;
    if (isOver()) return { isBehind: true, works };
  }
  while ((await runJobs(indexing)) > 0) if (isOver()) return { isBehind: true, works };
  return { isBehind: false, works };
}

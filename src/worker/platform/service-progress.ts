import * as z from "zod";
import { readCountsEnd } from "../../db/patrons/counts.ts";
import { readAllProgress } from "../../db/indexing/cursor.ts";
import { type IndexState, readIndexState } from "../../db/search/generation.ts";
import type { Stores } from "../http/bindings.ts";

/** How far what is made out of the log has come. */
export const progressSchema = z.object({
  /** Id of the newest change. */
  changes: z.int(),
  projections: z.record(z.string(), z.object({ change: z.int(), behind: z.int() })),
  /** Where a rebuild of the search index stands; null when there is none. */
  index: z.object({ phase: z.string(), done: z.int(), total: z.int() }).nullable(),
});
export type ServiceProgress = z.infer<typeof progressSchema>;

/** Reads how far every projection is. `counts` follows the counts of patrons' doings, all others the log of changes. */
export async function serviceProgress({ catalog, patrons, search }: Stores): Promise<ServiceProgress> {
  const [log, countsEnd, index] = await Promise.all([
    readAllProgress(catalog),
    readCountsEnd(patrons),
    readIndexState(search),
  ]);
  return progressOf({ log, countsEnd, index });
}

/** What the three databases say of it. */
interface ProgressRead {
  readonly log: Awaited<ReturnType<typeof readAllProgress>>;
  readonly countsEnd: number;
  readonly index: IndexState;
}

/** The same of what was read already. */
export function progressOf({ log: { cursors, end }, countsEnd, index }: ProgressRead): ServiceProgress {
  const { phase, done, total } = index;
  const projections: ServiceProgress["projections"] = {};
  for (const [name, change] of cursors) {
    // While an index is rebuilt, its cursor stands for the usual one; at other times it says nothing.
    if (name === "search-rebuild") continue;
    projections[name] = { change, behind: (name === "counts" ? countsEnd : end) - change };
  }
  return { changes: end, projections, index: phase === null ? null : { phase, done, total } };
}

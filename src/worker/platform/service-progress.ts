import * as z from "zod";
import { readCountsEnd } from "../../db/patrons/counts.ts";
import { readAllProgress } from "../../db/indexing/cursor.ts";
import { type IndexState, ENGINES, readIndexState } from "../../db/search/generation.ts";
import type { Stores } from "../http/bindings.ts";
import type { Settings } from "../http/settings.ts";
import { PROJECTIONS } from "../indexing/indexing.ts";
import { enginesOf, notesOf } from "../search/engine.ts";

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
export async function serviceProgress(stores: Stores, settings: Settings): Promise<ServiceProgress> {
  const { catalog, patrons } = stores;
  const [log, countsEnd, index] = await Promise.all([
    readAllProgress(catalog),
    readCountsEnd(patrons),
    readIndexState(notesOf(stores, settings)),
  ]);
  return progressOf({ log, countsEnd, index }, settings);
}

/** What the three databases say of it. */
interface ProgressRead {
  readonly log: Awaited<ReturnType<typeof readAllProgress>>;
  readonly countsEnd: number;
  readonly index: IndexState;
}

/** The same of what was read already. */
export function progressOf(
  { log: { cursors, end }, countsEnd, index }: ProgressRead,
  settings: Settings,
): ServiceProgress {
  const { phase, done, total } = index;
  const projections: ServiceProgress["projections"] = {};
  const followed = new Set(enginesOf(settings));
  // While an index is rebuilt, its cursor stands for the usual one; at other times it says nothing. Others are not followed.
  const silent = new Set<string>();
  const counts = new Set<string>();
  for (const engine of ENGINES) {
    const names = PROJECTIONS[engine];
    counts.add(names.counts);
    for (const name of followed.has(engine) ? [names.rebuild] : Object.values(names)) silent.add(name);
  }
  for (const [name, change] of cursors) {
    if (!silent.has(name))
      projections[name] = { change, behind: (counts.has(name) ? countsEnd : end) - change };
  }
  return { changes: end, projections, index: phase === null ? null : { phase, done, total } };
}

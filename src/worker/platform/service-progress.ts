import * as z from "zod";
import { readCountsEnd } from "../../db/patrons/counts.ts";
import { readAllProgress } from "../../db/indexing/log.ts";
import { type IndexState, ENGINES, readIndexState } from "../../db/search/generation.ts";
import type { Stores } from "../http/bindings.ts";
import type { Settings } from "../http/settings.ts";
import { PROJECTIONS } from "../indexing/indexing.ts";
import { enginesOf, indexNotesOf } from "../search/engine.ts";

export const progressSchema = z.object({
  changes: z.int(),
  projections: z.record(z.string(), z.object({ change: z.int(), behind: z.int() })),
  index: z.object({ phase: z.string(), done: z.int(), total: z.int() }).nullable(),
});
export type ServiceProgress = z.infer<typeof progressSchema>;

/** Reads the progress of every projection. `counts` follows patrons' activity, all others the change log. */
export async function serviceProgress(stores: Stores, settings: Settings): Promise<ServiceProgress> {
  const { catalog, patrons } = stores;
  const [log, countsEnd, index] = await Promise.all([
    readAllProgress(catalog),
    readCountsEnd(patrons),
    readIndexState(indexNotesOf(stores, settings)),
  ]);
  return progressOf({ log, countsEnd, index }, settings);
}

export function progressOf(
  {
    log: { cursors, end },
    countsEnd,
    index: { phase, done, total },
  }: { log: Awaited<ReturnType<typeof readAllProgress>>; countsEnd: number; index: IndexState },
  settings: Settings,
): ServiceProgress {
  const projections: ServiceProgress["projections"] = {};
  const followed = new Set(enginesOf(settings));
  // While an index is rebuilt, its rebuild cursor replaces the usual one; at other times the rebuild cursor means
  // nothing. Engines that are not followed are left out.
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

import type { Text } from "../../catalog/texts.ts";
import * as z from "zod";
import { formatDatetime } from "../../catalog/datetime.ts";
import { readCountsEnd } from "../../db/patrons/counts.ts";
import { readAllProgress } from "../../db/indexing/log.ts";
import { type IndexState, readIndexState } from "../../db/indexing/index-state.ts";
import { type EngineName, ENGINES } from "../../search/engine.ts";
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
export type Log = Awaited<ReturnType<typeof readAllProgress>>;
export type IndexOfEngine = readonly [EngineName, IndexState];

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
  }: { log: Log; countsEnd: number; index: IndexState },
  settings: Settings,
): ServiceProgress {
  const projections: ServiceProgress["projections"] = {};
  const followed = new Set(enginesOf(settings));
  // While an index is rebuilt, its rebuild cursor replaces the usual one; at other times the rebuild cursor means
  // nothing. Engines that are not followed are left out, and `answers`, which only older versions follow.
  const silent = new Set(["answers"]);
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

/** Age of an unfollowed change, and of the last progress of a rebuild, that is a problem, in milliseconds: two sweeps. */
const STALLED_MS = 600_000;

/** Q735: lists projections and rebuilds without progress. A rebuilt index is not behind: its cursor moves at the end. */
export function stalledProblems(
  projections: ServiceProgress["projections"],
  { since }: Log,
  { indexes, now }: { indexes: readonly IndexOfEngine[]; now: number },
): Text[] {
  const limit = formatDatetime(now - STALLED_MS);
  const stalled = new Set(Object.keys(projections).filter((name) => (since.get(name) ?? limit) < limit));
  // Their positions are no changes.
  for (const { counts } of Object.values(PROJECTIONS)) stalled.delete(counts);
  const problems = indexes.flatMap(([engine, { phase, held }]) => {
    if (phase === null) return [];
    stalled.delete(PROJECTIONS[engine].log);
    if (held >= limit) return [];
    return { key: "status.rebuild_stalled", values: { engine, phase, since: held } } as const;
  });
  const behind = [...stalled].map((name): Text => {
    return { key: "status.projection_stalled", values: { name, since: since.get(name) ?? limit } };
  });
  return [...problems, ...behind];
}

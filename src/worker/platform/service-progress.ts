import { readCountsEnd } from "../../db/patrons/counts.ts";
import { readAllProgress } from "../../db/indexing/cursor.ts";
import { type IndexState, readIndexState } from "../../db/search/generation.ts";
import type { Stores } from "../http/bindings.ts";

/** How far what is made out of the log has come. */
export interface ServiceProgress {
  /** Id of the newest change. */
  readonly changes: number;
  readonly projections: Readonly<Record<string, { readonly change: number; readonly behind: number }>>;
  /** Where a rebuild of the search index stands; null when there is none. */
  readonly index: { readonly phase: string; readonly done: number; readonly total: number } | null;
}

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
  const projections: Record<string, { change: number; behind: number }> = {};
  for (const [name, change] of cursors) {
    // While an index is rebuilt, its cursor stands for the usual one; at other times it says nothing.
    if (name === "search-rebuild") continue;
    projections[name] = { change, behind: (name === "counts" ? countsEnd : end) - change };
  }
  return { changes: end, projections, index: phase === null ? null : { phase, done, total } };
}

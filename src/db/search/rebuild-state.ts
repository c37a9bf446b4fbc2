import { type Database, prepare } from "../statement.ts";
import { type IndexState, idleGeneration } from "./generation.ts";

/** Where a rebuild stands. */
export type RebuildPlace = Pick<IndexState, "phase" | "position" | "done">;

/** Begins a rebuild of the idle generation, from the first step on, whatever was under way. */
export async function startRebuild(
  search: Database,
  { phase, total, started }: { phase: string; total: number; started: string },
): Promise<void> {
  const sql =
    "UPDATE index_state SET phase = ?1, position = 0, done = 0, total = ?2, started = ?3, term = NULL";
  await prepare(search, { sql, values: [phase, total, started] }).run();
}

/** Notes a rebuild's next place, unless another worker was faster. */
export async function moveRebuild(
  search: Database,
  from: IndexState,
  { phase, position, done }: RebuildPlace,
): Promise<void> {
  const sql = `UPDATE index_state SET phase = ?1, position = ?2, done = ?3
               WHERE phase = ?4 AND position = ?5 AND started = ?6`;
  const values = [phase, position, done, from.phase, from.position, from.started];
  await prepare(search, { sql, values }).run();
}

/** Lets the rebuilt generation answer. The rebuild is then in the step `phase`. */
export async function swapGenerations(search: Database, from: IndexState, phase: string): Promise<void> {
  const sql = `UPDATE index_state SET live = ?1, phase = ?2, position = 0
               WHERE phase = ?3 AND live = ?4 AND started = ?5`;
  const values = [idleGeneration(from), phase, from.phase, from.live, from.started];
  await prepare(search, { sql, values }).run();
}

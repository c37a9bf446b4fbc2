import { type Database, firstRow } from "../statement.ts";

/** The index stands twice: one generation answers while the other is being rebuilt (docs/storage.md). */
export type Generation = "a" | "b";

/** Which generation answers, and where a rebuild of the other one stands. */
export interface IndexState {
  readonly live: Generation;
  /** Step of the rebuild; null when there is none. */
  readonly phase: string | null;
  readonly position: number;
  readonly done: number;
  readonly total: number;
  readonly started: string | null;
}

/** The state of the index. One statement. */
export async function readIndexState(search: Database): Promise<IndexState> {
  const sql = "SELECT live, phase, position, done, total, started FROM index_state";
  const state = await firstRow<IndexState>(search, { sql, values: [] });
  if (state === undefined) throw new Error("the search database has no state");
  return state;
}

/** The other one of the two. */
export function otherGeneration(generation: Generation): Generation {
  return generation === "a" ? "b" : "a";
}

/** The other generation: the one that is rebuilt or empty. */
export function idleGeneration({ live }: Pick<IndexState, "live">): Generation {
  return otherGeneration(live);
}

/** The generations that take writes: the live one, and during a rebuild the other one too. */
export function writtenGenerations(state: IndexState): Generation[] {
  return state.phase === null ? [state.live] : [state.live, idleGeneration(state)];
}

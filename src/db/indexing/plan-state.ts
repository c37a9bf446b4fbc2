import type { Statement } from "../statement.ts";

/** State of the index that a write is planned from. */
export interface PlanState {
  /** Start of the last rebuild: the codes of its generation have another meaning than those before. */
  readonly started: string | null;
  /** Number of the last batch that changed sums. */
  readonly batch: number;
}

/** Statement that reads `PlanState`. */
export const PLAN_STATE: Statement = { sql: "SELECT started, batch FROM index_state", values: [] };

/**
 * Returns a statement that fails the transaction if another rebuild has started since `started`: the generation may
 * have been cleared, so that codes read before have another meaning.
 */
export function sameRebuildStatement(started: string | null): Statement {
  return { sql: "UPDATE index_state SET live = NULL WHERE started IS NOT ?1", values: [started] };
}

/** Returns a statement that numbers a batch, and fails the transaction if the state has changed since it was read. */
export function samePlanStatement({ started, batch }: PlanState = { started: null, batch: 0 }): Statement {
  const sql =
    "UPDATE index_state SET live = iif(started IS ?1 AND batch = ?2, live, NULL), batch = batch + 1";
  return { sql, values: [started, batch] };
}

/** Number of times that a write is planned, if others change the state that it was planned from. */
const PLANS_MAX = 20;

/** Plans and writes, again if a statement of this file has failed the transaction. */
export async function replanned<Result>(planAndWrite: () => Promise<Result>): Promise<Result> {
  for (let plans = 1; ; plans += 1) {
    try {
      return await planAndWrite();
    } catch (error) {
      if (plans === PLANS_MAX || !String(error).includes("index_state.live")) throw error;
    }
  }
}

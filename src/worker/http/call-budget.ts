import { countBindings } from "../../db/edge-limits.ts";
import type { Sources, Stores } from "./bindings.ts";

/**
 * Calls, and statements of databases, that an invocation makes before it leaves the rest to another one. The platform
 * allows 1,000 statements; half are reserved for steps that are larger than expected.
 */
export const BUDGET_CALLS = 500;

/** Budget of an invocation, such as a batch of messages, all steps of the sweep, or a stream. */
export interface CallBudget {
  /** Number of calls so far, or of statements if there are more: those of a batch count one by one. */
  readonly used: number;
  /** Returns true if there is no time left, or another step as large as the largest so far would exceed the budget. */
  isOver(): boolean;
}

/** Returns stores whose calls use up a budget, and the budget, which also ends after some milliseconds. */
export function withBudget(
  { stores, sources }: { stores: Stores; sources: Pick<Sources, "now"> },
  milliseconds: number,
): { stores: Stores; budget: CallBudget } {
  const deadline = sources.now() + milliseconds;
  const counts = { calls: 0, statements: 0 };
  let [before, largest] = [0, 0];
  const budget: CallBudget = {
    get used() {
      return Math.max(counts.calls, counts.statements);
    },
    isOver() {
      largest = Math.max(largest, budget.used - before);
      before = budget.used;
      return before + largest > BUDGET_CALLS || sources.now() >= deadline;
    },
  };
  return { stores: countBindings(stores, counts), budget };
}

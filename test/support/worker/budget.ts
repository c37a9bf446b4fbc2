import type { CallBudget } from "../../../src/worker/http/call-budget.ts";

/** A budget that each step exceeds, and one that no step does. */
export const SPENT: CallBudget = { used: 0, isOver: () => true };
export const UNSPENT: CallBudget = { used: 0, isOver: () => false };

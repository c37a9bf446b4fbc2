import type { Budget } from "../../../src/worker/http/call-budget.ts";

/** A budget that each step exceeds, and one that no step does. */
export const SPENT: Budget = { used: 0, isOver: () => true };
export const UNSPENT: Budget = { used: 0, isOver: () => false };

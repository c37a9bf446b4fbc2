import type { LoanKind } from "./loan.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long a loan lasts, in milliseconds, by how it is held (lookup.md 13.2). */
export const LOAN_MS: Readonly<Record<LoanKind, number>> = { borrow: 14 * DAY_MS, browse: HOUR_MS };
/** Loans of one patron at a time. */
export const LOANS_MAX = 5;
/** How long a copy is kept for the patron whose turn it is, in milliseconds. */
export const CLAIM_MS = DAY_MS;
/** How long a patron has had a book before he is told that others wait for it, in milliseconds. */
export const HELD_IN_PEACE_MS = 2 * DAY_MS;
/** Patrons who wait for one item. */
export const QUEUE_MAX = 5000;
/** Items that one patron waits for. */
export const PLACES_MAX = 50;

/** What a patron who asks finds at the desk. */
export interface Counter {
  /** Copies that nobody has and that are kept for nobody. */
  readonly free: number;
  /** Whether the item is lent for an hour at all. */
  readonly browse: boolean;
  /** A copy is kept for this patron. */
  readonly isClaim: boolean;
}

/**
 * Which loan somebody gets who wishes for one (Q269, lookup.md 12.3): the one he wishes for where both are possible, else the one
 * that is; undefined when no copy is left for him. A copy that was kept for him is lent for two weeks.
 */
export function loanKindFor(wish: LoanKind, { free, browse, isClaim }: Counter): LoanKind | undefined {
  if (isClaim) return "borrow";
  if (free <= 0) return undefined;
  return wish === "browse" && browse ? "browse" : "borrow";
}

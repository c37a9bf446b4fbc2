import type { Loan } from "./loan.ts";

/** How long a loan desk takes a wish that the patron's object has let pass, in milliseconds. */
export const WISH_VALID_MS = 60_000;

/**
 * What the desk of an item says to a patron's object: how the patron stands there. The word with the highest sequence of an
 * item holds.
 */
export interface DeskWord {
  readonly ocaid: string;
  readonly sequence: number;
  readonly loan: DeskLoan | null;
  /** He has a place in the queue. */
  readonly waits: boolean;
}

/** A loan of this service: it is fulfilled at once, and its patron is known. */
export type DeskLoan = Loan & { readonly patron: string; readonly expiry: number };

import { HOUR_MS, DAY_MS } from "../units.ts";
import type { LendingTerms } from "./holdings.ts";

/** Kind of a loan: for an hour, or for two weeks. */
export type LoanKind = "browse" | "borrow";

/** Actions of patrons on the scan of an edition. */
export const BORROW_ACTIONS = [
  "borrow",
  "browse",
  "read",
  "return",
  "join-waitinglist",
  "leave-waitinglist",
  "locate",
] as const;
export type BorrowAction = (typeof BORROW_ACTIONS)[number];

/** Loan, of this or another lending service. Times are milliseconds since the epoch. */
export interface Loan {
  /** Id; 32 hexadecimal digits for loans of this service. */
  readonly uuid: string;
  readonly ocaid: string;
  /** Username of the holder, in lower case; null if the holder is unknown here. */
  readonly patron: string | null;
  /** Key of the edition; `/books/ia:<ocaid>` without one. */
  readonly book: string;
  readonly kind: LoanKind;
  readonly loanedAt: number;
  /** End of the loan; null: not fulfilled yet. */
  readonly expiry: number | null;
}

export interface WaitingPlace {
  readonly ocaid: string;
  readonly patron: string;
  readonly book: string;
  /** State; `available`: a copy is reserved for the patron until `expiry`. */
  readonly status: "waiting" | "available";
  /** Position in the queue, from 1. */
  readonly position: number;
  readonly queueLength: number;
  readonly since: number;
  readonly updated: number;
  readonly expiry: number | null;
}

/** State of an item, and of a patron's loan and place. Times are milliseconds since the epoch. */
export interface LendingStatus extends Omit<LendingTerms, "browse"> {
  readonly free: number;
  readonly activeBorrows: number;
  readonly activeBrowses: number;
  /** Copies that can be borrowed for an hour, if they are free. */
  readonly browsable: number;
  /** True if one of them is free. */
  readonly canBrowse: boolean;
  readonly waiting: number;
  readonly reserved: number;
  readonly lastLoan: number | null;
  readonly lastWaiting: number | null;
  readonly nextExpiry: number | null;
  readonly patron: {
    readonly loan: Loan | null;
    readonly place: WaitingPlace | null;
    readonly loanCount: number;
    readonly isPrintDisabled: boolean;
  } | null;
}

/** Loan or return. */
export interface LendingChange {
  readonly uid: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly ocaid: string;
  readonly patron: string | null;
  readonly loan: string;
  readonly event: "borrow" | "return";
  readonly until: number | null;
}

/** Time for which a loan desk accepts a loan request admitted by the patron's object, in milliseconds. */
export const LOAN_REQUEST_VALID_MS = 60_000;

/** Loan status of a patron at the desk of an item. The one with the highest sequence counts. */
export interface DeskLoanStatus {
  readonly ocaid: string;
  readonly sequence: number;
  readonly loan: DeskLoan | null;
  readonly waits: boolean;
}

/** Loan of this service: it is fulfilled at once, and its patron is known. */
export type DeskLoan = Loan & { readonly patron: string; readonly expiry: number };

/** Duration of a loan in milliseconds, by its kind. */
export const LOAN_MS: Readonly<Record<LoanKind, number>> = { borrow: 14 * DAY_MS, browse: HOUR_MS };
/** Maximum loans of one patron at a time. */
export const LOANS_MAX = 5;
/** Duration of the reservation for the patron whose turn it is, in milliseconds. */
export const CLAIM_MS = DAY_MS;
/** Time in milliseconds for which a patron has a book before an email tells them that others are waiting for it. */
export const QUEUE_NOTICE_DELAY_MS = 2 * DAY_MS;
/** Maximum number of patrons waiting for one item. */
export const QUEUE_MAX = 5000;
/** Maximum number of items that one patron waits for. */
export const PLACES_MAX = 50;

interface ItemState {
  readonly free: number;
  readonly browse: boolean;
  readonly isClaim: boolean;
}

/**
 * Returns the kind of loan for a request (Q269): the requested kind if both are possible, otherwise the possible one;
 * undefined if no copy is left for the patron. A reserved copy is lent for two weeks.
 */
export function chooseLoanKind(
  requestedKind: LoanKind,
  { free, browse, isClaim }: ItemState,
): LoanKind | undefined {
  if (isClaim) return "borrow";
  if (free <= 0) return undefined;
  return requestedKind === "browse" && browse ? "browse" : "borrow";
}

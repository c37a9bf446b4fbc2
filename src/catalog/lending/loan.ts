import type { LendingTerms } from "./holdings.ts";

/** How a loan is held: for an hour, or for two weeks. */
export type LoanKind = "browse" | "borrow";

/** A loan, wherever it is kept. Times are milliseconds since the epoch. */
export interface Loan {
  /** 32 hexadecimal digits for loans of this service. */
  readonly uuid: string;
  /** Id of the scanned item. */
  readonly ocaid: string;
  /** Username of who has it, in lower case; null when nobody here is known by that name. */
  readonly patron: string | null;
  /** Key of the edition; `/books/ia:<ocaid>` without one. */
  readonly book: string;
  readonly kind: LoanKind;
  readonly loanedAt: number;
  /** Null: not fulfilled yet. */
  readonly expiry: number | null;
}

/** A place in the queue for an item. */
export interface WaitingPlace {
  readonly ocaid: string;
  readonly patron: string;
  readonly book: string;
  /** `available`: a copy is kept for the patron until `expiry`. */
  readonly status: "waiting" | "available";
  /** From 1. */
  readonly position: number;
  /** How many wait in all. */
  readonly queueLength: number;
  readonly since: number;
  readonly updated: number;
  readonly expiry: number | null;
}

/** How an item stands, and how a patron stands to it. Times are milliseconds since the epoch. */
export interface LendingStatus extends Omit<LendingTerms, "browse"> {
  /** Copies that nobody has and that are kept for nobody. */
  readonly free: number;
  readonly activeBorrows: number;
  readonly activeBrowses: number;
  /** Copies that can be had for an hour, if they are free. */
  readonly browsable: number;
  /** One of them is free. */
  readonly canBrowse: boolean;
  readonly waiting: number;
  /** Copies kept for those whose turn it is. */
  readonly reserved: number;
  readonly lastLoan: number | null;
  readonly lastWaiting: number | null;
  readonly nextExpiry: number | null;
  /** Of the patron who asks; null when nobody asks. */
  readonly patron: {
    readonly loan: Loan | null;
    readonly place: WaitingPlace | null;
    readonly loanCount: number;
    readonly isPrintDisabled: boolean;
  } | null;
}

/** A loan or a return. */
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

/** How long a loan desk takes a wish that the patron's object has let pass, in milliseconds. */
export const WISH_VALID_MS = 60_000;

/** How a patron stands at the desk of an item. Of several the word with the highest sequence holds. */
export interface DeskWord {
  readonly ocaid: string;
  readonly sequence: number;
  readonly loan: DeskLoan | null;
  /** He has a place in the queue. */
  readonly waits: boolean;
}

/** A loan of this service: it is fulfilled at once, and its patron is known. */
export type DeskLoan = Loan & { readonly patron: string; readonly expiry: number };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long a loan lasts, in milliseconds, by how it is held. */
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
interface Counter {
  /** Copies that nobody has and that are kept for nobody. */
  readonly free: number;
  /** Whether the item is lent for an hour at all. */
  readonly browse: boolean;
  /** A copy is kept for this patron. */
  readonly isClaim: boolean;
}

/**
 * Which loan somebody gets who wishes for one (Q269): the one he wishes for where both are possible, else the one
 * that is; undefined when no copy is left for him. A copy that was kept for him is lent for two weeks.
 */
export function loanKindFor(wish: LoanKind, { free, browse, isClaim }: Counter): LoanKind | undefined {
  if (isClaim) return "borrow";
  if (free <= 0) return undefined;
  return wish === "browse" && browse ? "browse" : "borrow";
}

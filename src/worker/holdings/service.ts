import type {
  LendingChange,
  LendingStatus,
  Loan,
  LoanKind,
  WaitingPlace,
} from "../../catalog/lending/loan.ts";

/** Who has loans, or waits for them. */
export interface LendingPatron {
  /** As the account spells it. */
  readonly username: string;
}

/** Who borrows. */
export interface Borrower extends LendingPatron {
  readonly isPrintDisabled: boolean;
}

/** What becomes of a wish. */
export type LendingResult<Value> = { readonly ok: true; readonly value: Value } | LendingRefusal;

/** Refusals are data: they are said to people in different ways. */
export interface LendingRefusal {
  readonly ok: false;
  /** `limit`: too many loans; `taken`: no copy is free; `not-lendable`; `not-held`: no such loan or place. */
  readonly reason: "limit" | "taken" | "not-lendable" | "not-held" | "unavailable";
  readonly message: string;
}

/** Why something is not done. */
export function refused(reason: LendingRefusal["reason"], message: string): LendingRefusal {
  return { ok: false, reason, message };
}

export const NOT_HELD_TEXT = "You do not have this book, and do not wait for it.";

/** A book of an item that somebody wants to have. */
interface BookWish {
  readonly ocaid: string;
  /** The edition that he asked for. */
  readonly book: string;
  readonly borrower: Borrower;
}

/** Lends scanned books: own desks, or another service over HTTP. */
export interface LendingService {
  status(ocaid: string, borrower?: Borrower): Promise<LendingStatus>;
  /** How items stand, without patrons; items that nobody knows are absent. One statement of the database. */
  statuses(ocaids: readonly string[]): Promise<ReadonlyMap<string, LendingStatus>>;
  loans(patron: LendingPatron): Promise<readonly Loan[]>;
  loansOf(ocaid: string): Promise<readonly Loan[]>;
  /** Takes a loan; the one that the borrower has already, if he has one. */
  open(wish: BookWish & { readonly kind: LoanKind }): Promise<LendingResult<Loan>>;
  close(ocaid: string, patron: LendingPatron): Promise<LendingResult<null>>;
  join(wish: BookWish): Promise<LendingResult<WaitingPlace>>;
  leave(ocaid: string, patron: LendingPatron): Promise<LendingResult<null>>;
  /** The queue of an item, or what a patron waits for: all of it, or `among` some items. */
  places(
    by: { readonly ocaid: string } | { readonly borrower: LendingPatron; readonly among?: readonly string[] },
  ): Promise<readonly WaitingPlace[]>;
  /** Items that the patron has had, the last first; one row an item. */
  history(
    patron: LendingPatron,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly { readonly ocaid: string; readonly lastLoan: number }[]>;
  changes(after: number, limit: number): Promise<readonly LendingChange[]>;
  /** Returns all loans and leaves all queues of somebody whose account is removed. */
  forget(patron: LendingPatron): Promise<void>;
}

import type {
  LendingChange,
  LendingStatus,
  Loan,
  LoanKind,
  WaitingPlace,
} from "../../../catalog/lending/loan.ts";
import type { Text } from "../../../catalog/texts.ts";
import type { FailureKey } from "../../http/failure.ts";

export interface LendingPatron {
  readonly username: string;
}

export interface Borrower extends LendingPatron {
  readonly isPrintDisabled: boolean;
}

export type LendingResult<Value> = { readonly ok: true; readonly value: Value } | LendingRefusal;

/** Refusal. It is a value and not an error, because callers present it in different ways. */
export interface LendingRefusal {
  readonly ok: false;
  /** Reason; `limit`: too many loans; `taken`: no copy is free; `not-lendable`; `not-held`: no such loan or place. */
  readonly reason: "limit" | "taken" | "not-lendable" | "not-held" | "unavailable";
  readonly text: Text<FailureKey>;
}

export function toRefusal(reason: LendingRefusal["reason"], key: FailureKey): LendingRefusal {
  return { ok: false, reason, text: { key } };
}

export const NOT_LENDABLE = toRefusal("not-lendable", "conflict.not_lendable");
export const NOT_HELD = toRefusal("not-held", "conflict.not_held");

export interface BookRequest {
  readonly ocaid: string;
  readonly book: string;
  readonly borrower: Borrower;
}

/** Service that lends scanned books: own desks, or another service over HTTP. Throws 503 if it does not answer. */
export interface LendingService {
  status(ocaid: string, borrower?: Borrower): Promise<LendingStatus>;
  /** Reads the state of items, without patrons; unknown items are absent. At most one statement per database. */
  statuses(ocaids: readonly string[]): Promise<ReadonlyMap<string, LendingStatus>>;
  loans(patron: LendingPatron): Promise<readonly Loan[]>;
  loansOf(ocaid: string): Promise<readonly Loan[]>;
  /** Takes a loan; returns the borrower's existing loan if there is one. */
  open(request: BookRequest & { kind: LoanKind }): Promise<LendingResult<Loan>>;
  close(ocaid: string, patron: LendingPatron): Promise<LendingResult<null>>;
  join(request: BookRequest): Promise<LendingResult<WaitingPlace>>;
  leave(ocaid: string, patron: LendingPatron): Promise<LendingResult<null>>;
  /** Reads the queue of an item, or the places of a patron: all of them, or those `among` some items. */
  places(
    by: { ocaid: string } | { borrower: LendingPatron; among?: readonly string[] },
  ): Promise<readonly WaitingPlace[]>;
  /** Reads the items that the patron has borrowed, the last first; one row per item. */
  history(
    patron: LendingPatron,
    page: { limit: number; offset: number },
  ): Promise<readonly { ocaid: string; lastLoan: number }[]>;
  changes(after: number, limit: number): Promise<readonly LendingChange[]>;
  /** Returns all loans and leaves all queues of a patron whose account is removed. */
  forget(patron: LendingPatron): Promise<void>;
}

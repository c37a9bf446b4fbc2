import type { LendingStatus } from "../../catalog/lending/loan.ts";
import type { LendingTerms } from "../../catalog/lending/holdings.ts";
import type { LentItem } from "../../db/lending/holdings.ts";
import type { DeskStatus } from "../../durable/loan-desk/loan-desk.ts";

/** Number of a patron's loans, and print disability. */
type BorrowerCounts = Pick<NonNullable<LendingStatus["patron"]>, "loanCount" | "isPrintDisabled">;

type Counts = Omit<LentItem, "ocaid">;

const NOTHING: Counts = {
  borrows: 0,
  browses: 0,
  waiting: 0,
  reserved: 0,
  lastLoan: null,
  lastWaiting: null,
  nextExpiry: null,
};

/** Returns the state of an item from its terms and its stored counts; without counts, it has no loans. */
export function statusOfItem(
  terms: LendingTerms | undefined,
  counts: Counts = NOTHING,
  borrower?: BorrowerCounts,
): LendingStatus {
  const { borrows, browses, waiting, reserved, lastLoan, lastWaiting, nextExpiry } = counts;
  const copies = terms?.copies ?? 0;
  const free = Math.max(0, copies - borrows - browses - reserved);
  return {
    isReadable: terms?.isReadable ?? false,
    isLendable: terms?.isLendable ?? false,
    isPrintDisabled: terms?.isPrintDisabled ?? false,
    copies,
    free,
    activeBorrows: borrows,
    activeBrowses: browses,
    browsable: (terms?.browse ?? false) ? copies : 0,
    canBrowse: free > 0 && (terms?.browse ?? false),
    waiting,
    reserved,
    lastLoan,
    lastWaiting,
    nextExpiry,
    patron: borrower === undefined ? null : { loan: null, place: null, ...borrower },
  };
}

/** Returns the state of an item from its desk, with the patron's loan and place. */
export function statusAtDesk(
  terms: LendingTerms,
  desk: DeskStatus,
  borrower?: BorrowerCounts,
): LendingStatus {
  const { loan, place } = desk;
  const patron = borrower === undefined ? null : { loan, place, ...borrower };
  return { ...statusOfItem(terms, desk), patron };
}

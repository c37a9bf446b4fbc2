import type { LendingStatus } from "../../catalog/lending/loan.ts";
import type { LendingTerms } from "../../catalog/lending/holdings.ts";
import type { LentItem } from "../../db/lending/rows.ts";
import type { DeskStatus } from "../../durable/loan-desk/loan-desk.ts";

/** What a patron brings along: his loans in all, and whether he has a print disability. */
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

/** How an item stands by its terms and what was told of it; nobody has it where nothing was. */
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

/** The same as the desk itself has just said it, with what it knows of the patron. */
export function statusAtDesk(
  terms: LendingTerms,
  desk: DeskStatus,
  borrower?: BorrowerCounts,
): LendingStatus {
  const { loan, place } = desk;
  const patron = borrower === undefined ? null : { loan, place, ...borrower };
  return { ...statusOfItem(terms, desk), patron };
}

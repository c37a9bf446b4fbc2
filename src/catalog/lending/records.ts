import type { JsonObject } from "../record.ts";
import type { LendingStatus, Loan, WaitingPlace } from "./loan.ts";

interface LoanNames {
  /** Username of the holder, as the account spells it; null if the holder is unknown here. */
  readonly username: string | null;
  /** Base address of the reader, without a slash at the end. */
  readonly readerUrl: string;
}

/** Returns a loan as programs see it. `loaned_at` is in seconds since the epoch, `expiry` in naive UTC. */
export function toLoanRecord(loan: Loan, { username, readerUrl }: LoanNames): JsonObject {
  const { uuid, ocaid, book, kind, loanedAt, expiry } = loan;
  return {
    _key: loanKeyOf(ocaid),
    _rev: 1,
    type: "/type/loan",
    ...userMembersOf(username),
    book,
    ocaid,
    uuid,
    loaned_at: loanedAt / 1000,
    expiry: expiry === null ? null : formatTime(expiry),
    fulfilled: expiry === null ? 0 : 1,
    resource_type: "bookreader",
    resource_id: `bookreader:${ocaid}`,
    loan_link: `${readerUrl}/stream/${encodeURIComponent(ocaid)}`,
    kind,
  };
}

export function loanKeyOf(ocaid: string): string {
  return `loan-${ocaid}`;
}

/** Returns a place in a queue as programs see it, with times in naive UTC. `username`: as the account spells it. */
export function toWaitingRecord(place: WaitingPlace, username: string): JsonObject {
  const { ocaid, book, status, position, queueLength, since, updated, expiry } = place;
  const { userid, user } = userMembersOf(username);
  return {
    identifier: ocaid,
    userid,
    user_key: user,
    book_key: book,
    status,
    position,
    wl_size: queueLength,
    since: formatTime(since),
    last_update: formatTime(updated),
    ...(expiry === null ? {} : { expiry: formatTime(expiry) }),
    // The email is sent at the same time.
    available_email_sent: status === "available",
  };
}

/** Returns the state of an item as programs see it, without a patron. */
export function toStatusRecord(status: LendingStatus): JsonObject {
  const { isLendable, copies, free, canBrowse } = status;
  return {
    is_lendable: isLendable,
    is_readable: status.isReadable,
    is_printdisabled: status.isPrintDisabled,
    is_login_required: !status.isReadable,
    available_to_browse: isLendable && canBrowse && free > 0,
    available_to_borrow: isLendable && free > 0,
    available_to_waitlist: isLendable && free === 0,
    max_lendable_copies: copies,
    available_lendable_copies: free,
    max_borrowable_copies: copies,
    available_borrowable_copies: free,
    max_browsable_copies: status.browsable,
    available_browsable_copies: canBrowse ? free : 0,
    active_borrows: status.activeBorrows,
    active_browses: status.activeBrowses,
    users_on_waitlist: status.waiting,
    copies_reserved_for_waitlist: status.reserved,
    // Q481: last loan of either kind.
    last_borrow: formatTimeWithBlank(status.lastLoan),
    last_waitlist: formatTimeWithBlank(status.lastWaiting),
    next_borrow_expiration: formatTimeWithBlank(status.nextExpiry),
  };
}

function userMembersOf(username: string | null): { user: string | null; userid: string | null } {
  return username === null
    ? { user: null, userid: null }
    : { user: `/people/${username}`, userid: `@${username}` };
}

/** Formats a time as naive UTC to the second: `2026-09-04T10:20:00`. */
function formatTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}

/** Formats a time as naive UTC with a blank: `2026-09-04 10:20:00`. */
export function formatTimeWithBlank(time: number | null): string | null {
  return time === null ? null : formatTime(time).replace("T", " ");
}

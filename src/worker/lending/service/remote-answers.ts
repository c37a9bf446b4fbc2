import { HOUR_MS } from "../../../catalog/units.ts";
import { tryParseJson } from "../../../catalog/record.ts";
import * as z from "zod";
import type { LendingStatus, Loan, WaitingPlace } from "../../../catalog/lending/loan.ts";
import type { RemoteAvailability } from "./remote-client.ts";

const flag = z.boolean().catch(false);
const count = z.coerce.number().int().nonnegative().catch(0);
const text = z.string().nullable().catch(null);
const lendingStatus = z.object({
  is_lendable: flag,
  is_readable: flag,
  is_printdisabled: flag,
  available_to_browse: flag,
  available_to_borrow: flag,
  max_lendable_copies: count,
  available_lendable_copies: count,
  max_browsable_copies: count,
  active_borrows: count,
  active_browses: count,
  users_on_waitlist: count,
  copies_reserved_for_waitlist: count,
  last_borrow: text,
  last_browse: text,
  last_waitlist: text,
  next_borrow_expiration: text,
  next_browse_expiration: text,
  user_loan_count: count,
});
const statusAnswer = z.object({ lending_status: lendingStatus });

/** Parses the state of an item, and the loan count of the patron with the sent keys; undefined for another shape. */
export function statusOfAnswer(answer: unknown) {
  const parsed = statusAnswer.safeParse(answer);
  if (!parsed.success) return undefined;
  const { lending_status: s } = parsed.data;
  const isFree = s.available_to_borrow || s.available_to_browse;
  const status = {
    isReadable: s.is_readable,
    isLendable: s.is_lendable,
    isPrintDisabled: s.is_printdisabled,
    copies: s.max_lendable_copies,
    free: isFree ? Math.max(1, s.available_lendable_copies) : 0,
    activeBorrows: s.active_borrows,
    activeBrowses: s.active_browses,
    browsable: s.max_browsable_copies,
    canBrowse: s.available_to_browse,
    waiting: s.users_on_waitlist,
    reserved: s.copies_reserved_for_waitlist,
    lastLoan: latest(s.last_borrow, s.last_browse),
    lastWaiting: timeOf(s.last_waitlist),
    nextExpiry: timeOf(s.next_borrow_expiration) ?? timeOf(s.next_browse_expiration),
    patron: null,
  };
  return { status, loanCount: s.user_loan_count };
}

const availability = z.object({
  is_lendable: flag,
  is_printdisabled: flag,
  available_to_browse: flag,
  num_waitlist: count,
  last_loan_date: text,
  last_waitlist_date: text,
});

/** Parses the state of an item from an availability; undefined if the service does not know the item. */
export function statusOfAvailability(answer: RemoteAvailability): LendingStatus | undefined {
  if (answer.status === "error") return undefined;
  const a = availability.parse(answer);
  const isFree = answer.status === "borrow_available";
  const isLendable = a.is_lendable || isFree;
  return {
    isReadable: answer.status === "open",
    isLendable,
    isPrintDisabled: a.is_printdisabled,
    // The service reports that there are copies, but not their number.
    copies: isLendable ? 1 : 0,
    free: isFree ? 1 : 0,
    activeBorrows: isLendable && !isFree ? 1 : 0,
    activeBrowses: 0,
    browsable: isFree && a.available_to_browse ? 1 : 0,
    canBrowse: isFree && a.available_to_browse,
    waiting: a.num_waitlist,
    reserved: 0,
    lastLoan: timeOf(a.last_loan_date),
    lastWaiting: timeOf(a.last_waitlist_date),
    nextExpiry: null,
    patron: null,
  };
}

const id = z.coerce.string();
const loanRow = z.object({
  id,
  userid: z.string().nullable().catch(null),
  identifier: z.string(),
  ol_key: text,
  created: z.string(),
  until: text,
});
const loanRows = z.object({ result: z.array(loanRow).catch([]) });

/** Parses a list of loans; `patronOf` returns the local name of a holder. */
export function loansOfAnswer(answer: unknown, patronOf: (userid: string) => string | null): Loan[] {
  return loanRows.parse(answer).result.map((row) => {
    const loanedAt = timeOf(row.created) ?? 0;
    const expiry = timeOf(row.until);
    const isShort = expiry !== null && expiry - loanedAt <= HOUR_LOAN_MS_MAX;
    return {
      uuid: `loan-${row.id}`,
      ocaid: row.identifier,
      patron: row.userid === null ? null : patronOf(row.userid),
      book: row.ol_key ?? `/books/ia:${row.identifier}`,
      kind: isShort ? "browse" : "borrow",
      loanedAt,
      expiry,
    };
  });
}

/** Maximum duration of a loan of one hour, in milliseconds: it may last longer at the other service. */
const HOUR_LOAN_MS_MAX = 2 * HOUR_MS;

const placeRow = z.object({
  identifier: z.string(),
  userid: z.string(),
  book_key: text,
  status: z.enum(["waiting", "available"]).catch("waiting"),
  position: count,
  wl_size: count,
  since: text,
  last_update: text,
  expiry: text,
});
const placeRows = z.object({ result: z.array(placeRow).catch([]) });

export function placesOfAnswer(answer: unknown, patronOf: (userid: string) => string | null): WaitingPlace[] {
  return placeRows.parse(answer).result.map((row) => ({
    ocaid: row.identifier,
    patron: patronOf(row.userid) ?? row.userid,
    book: row.book_key ?? `/books/ia:${row.identifier}`,
    status: row.status,
    position: row.position,
    queueLength: row.wl_size,
    since: timeOf(row.since) ?? 0,
    updated: timeOf(row.last_update) ?? timeOf(row.since) ?? 0,
    expiry: timeOf(row.expiry),
  }));
}

const useridRows = z.object({
  result: z.array(z.object({ userid: z.string() }).optional().catch(undefined)).catch([]),
});

export function useridsOfAnswer(answer: unknown): string[] {
  const parsed = useridRows.safeParse(answer);
  return parsed.success ? parsed.data.result.flatMap((row) => row?.userid ?? []) : [];
}

const historyAnswer = z.object({
  history: z.object({ items: z.array(z.object({ identifier: z.string(), updatedate: z.string() })) }),
});

export function historyOfAnswer(answer: unknown): { ocaid: string; lastLoan: number }[] {
  const { items } = historyAnswer.parse(answer).history;
  return items.map(({ identifier: ocaid, updatedate }) => ({ ocaid, lastLoan: timeOf(updatedate) ?? 0 }));
}

const changeRow = z.object({
  time: z.string(),
  identifier: z.string(),
  username: z.string().nullable().catch(null),
  loan_id: id,
  event_type: z.enum(["borrow", "return"]),
  extra: z.string().catch("{}"),
  uid: z.int(),
});

const extraShape = z.object({ until: z.string() });

export function changesOfAnswer(answer: unknown) {
  const { rows } = z.object({ rows: z.array(changeRow) }).parse(answer);
  return rows.map((row) => {
    const extra = extraShape.safeParse(tryParseJson(row.extra));
    return {
      uid: row.uid,
      time: timeOf(row.time) ?? 0,
      ocaid: row.identifier,
      userid: row.username,
      loan: row.loan_id,
      event: row.event_type,
      until: extra.success ? timeOf(extra.data.until) : null,
    };
  });
}

function latest(first: string | null, second: string | null): number | null {
  const times = [timeOf(first), timeOf(second)].filter((time) => time !== null);
  return times.length === 0 ? null : Math.max(...times);
}

/** Parses a time in UTC with a blank or a `T`, with or without a zone, to milliseconds; null for anything else. */
function timeOf(value: string | null): number | null {
  if (value === null) return null;
  const iso = value.trim().replace(" ", "T");
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(time) ? null : time;
}

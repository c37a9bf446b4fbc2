import { Buffer } from "node:buffer";
import type { LendingStatus } from "../../../catalog/lending/loan.ts";
import type { LendingTerms } from "../../../catalog/lending/holdings.ts";
import { type LentItem, readTerms } from "../../../db/lending/holdings.ts";
import {
  readLoanHistory,
  readItemsOfPatron,
  readLendingChanges,
  readLentItems,
  readLoansOf,
  readPlacesOf,
  readQueue,
} from "../../../db/lending/read-loans.ts";
import { forgetPatron } from "../../../db/lending/write-loans.ts";
import type { AtDesk, DeskAnswer, DeskRefusal } from "../../../durable/loan-desk/loan-desk.ts";
import type { LoanAdmissionRequest } from "../../../durable/patron/loans.ts";
import type { Sources, Stores } from "../../http/bindings.ts";
import type { RequestContext } from "../../http/operation.ts";
import { patronOf } from "../../http/session.ts";
import type { Settings } from "../../http/settings.ts";
import {
  type Borrower,
  type LendingPatron,
  type LendingRefusal,
  type LendingResult,
  type LendingService,
  NOT_HELD,
  NOT_LENDABLE,
  toRefusal,
} from "./lending-service.ts";

type LendingContext = Pick<RequestContext, "now"> & {
  readonly stores: Pick<Stores, "catalog" | "patrons" | "patron" | "loanDesk">;
  readonly settings: Pick<Settings, "DERIVE_HOLDINGS">;
  readonly sources: Pick<Sources, "newSecret">;
};

export function embeddedLending(context: LendingContext): LendingService {
  const { stores, now } = context;
  const { patrons } = stores;
  return {
    status: (ocaid, borrower) => readStatus(context, ocaid, borrower),
    statuses: (ocaids) => readStatuses(context, ocaids),
    loans: ({ username }) => patronOf(stores, username).loans.held(now, username.toLowerCase()),
    loansOf: (ocaid) => readLoansOf(patrons, ocaid, now),
    open: ({ ocaid, book, kind, borrower }) =>
      requestFromDesk(context, { ocaid, borrower, kind: "loan" }, ({ at, patron, validUntil, request }) =>
        deskOf(stores, ocaid).open({ ...at, patron, book, kind, validUntil, uuid: request }),
      ),
    join: ({ ocaid, book, borrower }) =>
      requestFromDesk(context, { ocaid, borrower, kind: "place" }, ({ at, patron, validUntil }) =>
        deskOf(stores, ocaid).join({ ...at, patron, book, validUntil }),
      ),
    close: (ocaid, borrower) =>
      returnToDesk(context, { ocaid, borrower }, (at, patron) => deskOf(stores, ocaid).close(at, patron)),
    leave: (ocaid, borrower) =>
      returnToDesk(context, { ocaid, borrower }, (at, patron) => deskOf(stores, ocaid).leave(at, patron)),
    places: (by) =>
      "ocaid" in by
        ? readQueue(patrons, by.ocaid)
        : readPlacesOf(patrons, by.borrower.username.toLowerCase(), by.among),
    history: ({ username }, page) => readLoanHistory(patrons, username.toLowerCase(), page),
    changes: (after, limit) => readLendingChanges(patrons, after, limit),
    forget: ({ username }) => forget(context, username),
  };
}

function deskOf({ loanDesk }: LendingContext["stores"], ocaid: string) {
  return loanDesk.getByName(ocaid);
}

/** Reads the terms of items from the primary database, since loans depend on them. */
function readLendingTerms({ stores, settings }: LendingContext, ocaids: readonly string[]) {
  return readTerms(stores.catalog, ocaids, { derive: settings.DERIVE_HOLDINGS });
}

function atDesk({ now }: LendingContext, ocaid: string, terms: LendingTerms | undefined): AtDesk {
  return { ocaid, copies: terms?.copies ?? 0, browse: terms?.browse ?? false, now };
}

async function readStatus(context: LendingContext, ocaid: string, borrower?: Borrower) {
  const { stores, now } = context;
  const patron = borrower?.username.toLowerCase() ?? null;
  const [termsById, loanCount] = await Promise.all([
    readLendingTerms(context, [ocaid]),
    patron === null ? 0 : patronOf(stores, patron).loans.count(now),
  ]);
  const terms = termsById.get(ocaid);
  const counts =
    borrower === undefined ? undefined : { loanCount, isPrintDisabled: borrower.isPrintDisabled };
  // Only desks of lendable items are called: a call creates the desk.
  if (terms === undefined || !terms.isLendable) return statusOfItem(terms, undefined, counts);
  const desk = await deskOf(stores, ocaid).status(atDesk(context, ocaid, terms), patron);
  const standing = counts === undefined ? null : { loan: desk.loan, place: desk.place, ...counts };
  return { ...statusOfItem(terms, desk), patron: standing };
}

async function readStatuses({ stores, settings }: LendingContext, ocaids: readonly string[]) {
  const [terms, items] = await Promise.all([
    readTerms(stores.catalog.withSession("first-unconstrained"), ocaids, {
      derive: settings.DERIVE_HOLDINGS,
    }),
    readLentItems(stores.patrons.withSession("first-unconstrained"), ocaids),
  ]);
  const counts = new Map(items.map((item) => [item.ocaid, item]));
  return new Map([...terms].map(([ocaid, itemTerms]) => [ocaid, statusOfItem(itemTerms, counts.get(ocaid))]));
}

type LoanRequest = Pick<LoanAdmissionRequest, "ocaid" | "kind"> & { borrower: Borrower };

/** Reserves room at the patron's object, sends the loan request to the desk, and reports the result to the object. */
async function requestFromDesk<Value>(
  context: LendingContext,
  loanRequest: LoanRequest,
  /** Calls the desk; `request`: 32 hexadecimal digits. */
  callDesk: (call: {
    at: AtDesk;
    patron: string;
    validUntil: number;
    request: string;
  }) => Promise<DeskAnswer<Value>>,
): Promise<LendingResult<Value>> {
  const { ocaid, borrower } = loanRequest;
  const terms = (await readLendingTerms(context, [ocaid])).get(ocaid);
  if (terms === undefined || !terms.isLendable) return NOT_LENDABLE;
  const patron = borrower.username.toLowerCase();
  const request = Buffer.from(context.sources.newSecret(), "base64url").toString("hex");
  const admission = await requestAdmission(context, loanRequest, request);
  if (!admission.ok) return REFUSED_ADMISSION[`${loanRequest.kind} ${admission.reason}`];
  const { validUntil } = admission;
  const answer = await callDesk({ at: atDesk(context, ocaid, terms), patron, validUntil, request });
  await patronOf(context.stores, patron).loans.completeRequest({
    ocaid,
    request,
    loanStatus: answer.loanStatus,
  });
  return answer.ok ? { ok: true, value: answer.value } : REFUSALS[answer.reason];
}

/**
 * Asks the patron's object for admission. Before a refusal for too many loans or places, asks the desks whose updates
 * may have been lost.
 */
async function requestAdmission(
  context: LendingContext,
  { ocaid, borrower, kind }: LoanRequest,
  request: string,
) {
  const { stores, now } = context;
  const isUnlimited = kind === "loan" && borrower.isPrintDisabled;
  const reservation = { ocaid, request, kind, isUnlimited, now };
  const patron = borrower.username.toLowerCase();
  const admission = await patronOf(stores, patron).loans.admit(reservation);
  if (admission.ok || admission.unconfirmedItems.length === 0) return admission;
  const terms = await readLendingTerms(context, admission.unconfirmedItems);
  const reports = await Promise.all(
    admission.unconfirmedItems.map((item) =>
      deskOf(stores, item).loanStatus(atDesk(context, item, terms.get(item)), patron),
    ),
  );
  await patronOf(stores, patron).loans.recordStatuses(reports);
  return patronOf(stores, patron).loans.admit(reservation);
}

/** Ends a loan or a place at the desk; desks where the patron has nothing are not called. */
async function returnToDesk(
  context: LendingContext,
  { ocaid, borrower }: { ocaid: string; borrower: LendingPatron },
  callDesk: (at: AtDesk, patron: string) => Promise<DeskAnswer<null>>,
): Promise<LendingResult<null>> {
  const patron = borrower.username.toLowerCase();
  const terms = await readLendingTerms(context, [ocaid]);
  const items = await patronOf(context.stores, patron).loans.items();
  if (!items.includes(ocaid)) return NOT_HELD;
  const answer = await callDesk(atDesk(context, ocaid, terms.get(ocaid)), patron);
  await patronOf(context.stores, patron).loans.recordStatuses([answer.loanStatus]);
  return answer.ok ? { ok: true, value: null } : REFUSALS[answer.reason];
}

/** Returns all loans of a patron and removes the name. The patron's object must have been barred before. */
async function forget(context: LendingContext, username: string): Promise<void> {
  const { stores } = context;
  const patron = username.toLowerCase();
  const [knownItems, storedItems] = await Promise.all([
    patronOf(stores, patron).loans.items(),
    readItemsOfPatron(stores.patrons, patron),
  ]);
  const items = [...new Set([...knownItems, ...storedItems])];
  const terms = await readLendingTerms(context, items);
  const calls = items.map((ocaid) =>
    deskOf(stores, ocaid).forget(atDesk(context, ocaid, terms.get(ocaid)), patron),
  );
  await Promise.all(calls);
  await forgetPatron(stores.patrons, patron);
}

const BARRED = toRefusal("unavailable", "conflict.borrowing_barred");
const REFUSED_ADMISSION: Readonly<
  Record<`${LoanAdmissionRequest["kind"]} ${"limit" | "barred"}`, LendingRefusal>
> = {
  "loan limit": toRefusal("limit", "conflict.loan_limit"),
  "loan barred": BARRED,
  "place limit": toRefusal("limit", "conflict.hold_limit"),
  "place barred": BARRED,
};

const REFUSALS: Readonly<Record<DeskRefusal, LendingRefusal>> = {
  taken: toRefusal("taken", "conflict.checked_out"),
  "not-held": NOT_HELD,
  "has-loan": toRefusal("unavailable", "conflict.own_loan"),
  free: toRefusal("unavailable", "conflict.copy_free"),
  full: toRefusal("unavailable", "conflict.waiting_list_full"),
  late: toRefusal("unavailable", "conflict.loan_late"),
};

type BorrowerCounts = Pick<NonNullable<LendingStatus["patron"]>, "loanCount" | "isPrintDisabled">;

type Counts = Omit<LentItem, "ocaid">;

const NO_LOANS: Counts = {
  borrows: 0,
  browses: 0,
  waiting: 0,
  reserved: 0,
  lastLoan: null,
  lastWaiting: null,
  nextExpiry: null,
};

/** Returns the state of an item from its terms and its stored counts; without counts, it has no loans. */
function statusOfItem(
  terms: LendingTerms | undefined,
  counts: Counts = NO_LOANS,
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

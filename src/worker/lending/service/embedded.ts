import { Buffer } from "node:buffer";
import type { LendingTerms } from "../../../catalog/lending/holdings.ts";
import type {
  LendingChange,
  LendingStatus,
  Loan,
  LoanKind,
  WaitingPlace,
} from "../../../catalog/lending/loan.ts";
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
import type { Window } from "../../../db/statement.ts";
import type { AtDesk, DeskAnswer, DeskRefusal, DeskRequest } from "../../../durable/loan-desk/loan-desk.ts";
import type { LoanAdmissionRequest } from "../../../durable/patron/loans.ts";
import type { Sources, Stores } from "../../http/bindings.ts";
import type { RequestContext } from "../../http/operation.ts";
import { patronOf } from "../../http/session.ts";
import type { Settings } from "../../http/settings.ts";
import {
  type BookRequest,
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

/** Lends by the desks of this service. */
export class EmbeddedLending implements LendingService {
  constructor(private readonly context: LendingContext) {}

  async status(ocaid: string, borrower?: Borrower): Promise<LendingStatus> {
    const { now } = this.context;
    const [termsById, loanCount] = await Promise.all([
      this.readTerms([ocaid]),
      borrower === undefined ? 0 : this.loansAt(borrower.username).count(now),
    ]);
    const terms = termsById.get(ocaid);
    const isPrintDisabled = borrower?.isPrintDisabled ?? false;
    const patron = borrower === undefined ? null : { loan: null, place: null, loanCount, isPrintDisabled };
    // Only desks of lendable items are called: a call creates the desk.
    if (terms === undefined || !terms.isLendable) return { ...statusOfItem(terms), patron };
    const { loan, place, ...counts } = await this.desk(ocaid).status(
      this.atDesk(ocaid, terms),
      borrower?.username.toLowerCase() ?? null,
    );
    return { ...statusOfItem(terms, counts), patron: patron === null ? null : { ...patron, loan, place } };
  }

  async statuses(ocaids: readonly string[]): Promise<ReadonlyMap<string, LendingStatus>> {
    const { stores, settings } = this.context;
    const [terms, items] = await Promise.all([
      readTerms(stores.catalog.withSession("first-unconstrained"), ocaids, {
        derive: settings.DERIVE_HOLDINGS,
      }),
      readLentItems(stores.patrons.withSession("first-unconstrained"), ocaids),
    ]);
    const counts = new Map(items.map((item) => [item.ocaid, item]));
    return new Map(
      [...terms].map(([ocaid, itemTerms]) => [ocaid, statusOfItem(itemTerms, counts.get(ocaid))]),
    );
  }

  async loans({ username }: LendingPatron): Promise<readonly Loan[]> {
    return this.loansAt(username).held(this.context.now, username.toLowerCase());
  }

  loansOf(ocaid: string): Promise<readonly Loan[]> {
    return readLoansOf(this.context.stores.patrons, ocaid, this.context.now);
  }

  open({ kind, ...request }: BookRequest & { kind: LoanKind }): Promise<LendingResult<Loan>> {
    return this.requestFromDesk("loan", request, (call, uuid) =>
      this.desk(request.ocaid).open({ ...call, kind, uuid }),
    );
  }

  join(request: BookRequest): Promise<LendingResult<WaitingPlace>> {
    return this.requestFromDesk("place", request, (call) => this.desk(request.ocaid).join(call));
  }

  close(ocaid: string, patron: LendingPatron): Promise<LendingResult<null>> {
    return this.returnToDesk(ocaid, patron, (call, name) => this.desk(ocaid).close(call, name));
  }

  leave(ocaid: string, patron: LendingPatron): Promise<LendingResult<null>> {
    return this.returnToDesk(ocaid, patron, (call, name) => this.desk(ocaid).leave(call, name));
  }

  places(by: Parameters<LendingService["places"]>[0]): Promise<readonly WaitingPlace[]> {
    const { patrons } = this.context.stores;
    if ("ocaid" in by) return readQueue(patrons, by.ocaid);
    return readPlacesOf(patrons, by.borrower.username.toLowerCase(), by.among);
  }

  history({ username }: LendingPatron, page: Window) {
    return readLoanHistory(this.context.stores.patrons, username.toLowerCase(), page);
  }

  changes(after: number, limit: number): Promise<readonly LendingChange[]> {
    return readLendingChanges(this.context.stores.patrons, after, limit);
  }

  /** Requires that the patron's object has been barred before. */
  async forget({ username }: LendingPatron): Promise<void> {
    const { patrons } = this.context.stores;
    const patron = username.toLowerCase();
    const [knownItems, storedItems] = await Promise.all([
      this.loansAt(patron).items(),
      readItemsOfPatron(patrons, patron),
    ]);
    const items = [...new Set([...knownItems, ...storedItems])];
    const terms = await this.readTerms(items);
    await Promise.all(
      items.map((ocaid) => this.desk(ocaid).forget(this.atDesk(ocaid, terms.get(ocaid)), patron)),
    );
    await forgetPatron(patrons, patron);
  }

  private desk(ocaid: string) {
    return this.context.stores.loanDesk.getByName(ocaid);
  }

  private loansAt(username: string) {
    return patronOf(this.context.stores, username).loans;
  }

  /** Reads the terms of items from the primary database, since loans depend on them. */
  private readTerms(ocaids: readonly string[]) {
    const { stores, settings } = this.context;
    return readTerms(stores.catalog, ocaids, { derive: settings.DERIVE_HOLDINGS });
  }

  private atDesk(ocaid: string, terms: LendingTerms | undefined): AtDesk {
    return { ocaid, copies: terms?.copies ?? 0, browse: terms?.browse ?? false, now: this.context.now };
  }

  /** Reserves room at the patron's object, sends the loan request to the desk, and reports the result to the object. */
  private async requestFromDesk<Value>(
    kind: LoanAdmissionRequest["kind"],
    { ocaid, book, borrower }: BookRequest,
    /** Calls the desk; `request`: 32 hexadecimal digits. */
    callDesk: (call: DeskRequest, request: string) => Promise<DeskAnswer<Value>>,
  ): Promise<LendingResult<Value>> {
    const { now, sources } = this.context;
    const terms = (await this.readTerms([ocaid])).get(ocaid);
    if (terms === undefined || !terms.isLendable) return NOT_LENDABLE;
    const patron = borrower.username.toLowerCase();
    const request = Buffer.from(sources.newSecret(), "base64url").toString("hex");
    const isUnlimited = kind === "loan" && borrower.isPrintDisabled;
    const reservation = { ocaid, request, kind, isUnlimited, now };
    let admission = await this.loansAt(patron).admit(reservation);
    if (!admission.ok && admission.unconfirmedItems.length > 0) {
      // Updates of these desks may have been lost.
      const items = admission.unconfirmedItems;
      const termsById = await this.readTerms(items);
      const reports = await Promise.all(
        items.map((item) => this.desk(item).loanStatus(this.atDesk(item, termsById.get(item)), patron)),
      );
      await this.loansAt(patron).recordStatuses(reports);
      admission = await this.loansAt(patron).admit(reservation);
    }
    if (!admission.ok) return REFUSED_ADMISSION[`${kind} ${admission.reason}`];
    const { validUntil } = admission;
    const answer = await callDesk({ ...this.atDesk(ocaid, terms), patron, book, validUntil }, request);
    await this.loansAt(patron).completeRequest({ ocaid, request, loanStatus: answer.loanStatus });
    return answer.ok ? { ok: true, value: answer.value } : REFUSALS[answer.reason];
  }

  /** Ends a loan or a place at the desk; desks where the patron has nothing are not called. */
  private async returnToDesk(
    ocaid: string,
    { username }: LendingPatron,
    callDesk: (call: AtDesk, patron: string) => Promise<DeskAnswer<null>>,
  ): Promise<LendingResult<null>> {
    const patron = username.toLowerCase();
    const terms = await this.readTerms([ocaid]);
    const items = await this.loansAt(patron).items();
    if (!items.includes(ocaid)) return NOT_HELD;
    const answer = await callDesk(this.atDesk(ocaid, terms.get(ocaid)), patron);
    await this.loansAt(patron).recordStatuses([answer.loanStatus]);
    return answer.ok ? { ok: true, value: null } : REFUSALS[answer.reason];
  }
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
function statusOfItem(terms: LendingTerms | undefined, counts: Counts = NO_LOANS): LendingStatus {
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
    patron: null,
  };
}

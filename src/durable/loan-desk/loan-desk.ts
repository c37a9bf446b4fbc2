import {
  type DeskLoan,
  type DeskLoanStatus,
  type LoanKind,
  type WaitingPlace,
  LOAN_MS,
  QUEUE_MAX,
  LOAN_REQUEST_VALID_MS,
  chooseLoanKind,
} from "../../catalog/lending/loan.ts";
import { type ObjectTables, emptyTables, readTables, writeObjectTables } from "../object-tables.ts";
import { upgrade } from "../storage.ts";
import { type DeskCounts, DESK_STEPS, Ledger } from "./ledger.ts";
import { MailOutbox } from "./mail-outbox.ts";
import { LENDING_RETRY_MS, LendingOutbox } from "./lending-outbox.ts";
import { EdgeObject } from "../edge-object.ts";

/** Item of a call, the terms of lending it, and the time of the call (milliseconds since the epoch). */
export interface AtDesk {
  readonly ocaid: string;
  /** Number of copies; 0: not lent (any more), but active loans last until their end. */
  readonly copies: number;
  readonly browse: boolean;
  readonly now: number;
}

export interface DeskRequest extends AtDesk {
  /** Username in lower case. */
  readonly patron: string;
  readonly book: string;
  /** Deadline by the clock of the objects, after which the desk refuses the request. */
  readonly validUntil: number;
}

export type DeskAnswer<Value> = { readonly loanStatus: DeskLoanStatus } & (
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: DeskRefusal }
);

/** Reason for a refusal. `free`: there is a free copy, so there is no queue; `late`: the request is no longer valid. */
export type DeskRefusal = "taken" | "not-held" | "has-loan" | "free" | "full" | "late";

interface DeskStatus extends DeskCounts {
  readonly free: number;
  readonly loan: DeskLoan | null;
  readonly place: WaitingPlace | null;
}

/**
 * Loan desk of one scanned item, named by its id: stores the loans, the queue, and their expiry. It is the source of
 * truth; patrons' objects and the tables of PATRONS are updated before a call returns, or by the alarm. Every call
 * first ends expired loans and reservations.
 */
export class LoanDesk extends EdgeObject {
  private readonly ledger: Ledger;
  private readonly outbox: LendingOutbox;
  private readonly mails: MailOutbox;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    upgrade(state.storage, DESK_STEPS);
    const { sql } = state.storage;
    this.ledger = new Ledger(sql);
    this.outbox = new LendingOutbox(sql, this.ledger, { patrons: this.env.PATRONS, patron: this.env.PATRON });
    this.mails = new MailOutbox(sql, this.env.PATRON_JOBS);
  }

  /** Returns true once objects of this class respond and their storage is up to date; a health check. */
  ping(): boolean {
    return true;
  }

  /** Returns the state of the item, and of a patron's loan and place; without a patron, both are null. */
  async status(call: AtDesk, patron: string | null): Promise<DeskStatus> {
    return this.transact(call, () => ({
      ...this.ledger.counts(),
      free: this.ledger.free,
      loan: patron === null ? null : (this.ledger.loanOf(patron) ?? null),
      place: patron === null ? null : this.ledger.waitingPlaceOf(patron),
    }));
  }

  /** Lends a copy, or returns the patron's existing loan; an hour is renewed if the queue is empty. */
  async open(request: DeskRequest & { kind: LoanKind; uuid: string }): Promise<DeskAnswer<DeskLoan>> {
    const { ocaid, patron, book, uuid, now } = request;
    const { ledger } = this;
    return this.answer(request, patron, () => {
      if (this.isLate(request)) return "late";
      const existing = ledger.loanOf(patron);
      if (existing !== undefined) {
        const isHour = request.kind === "browse" && existing.kind === "browse";
        const isRenewable = isHour && ledger.counts().waiting === 0 && now + LOAN_MS.browse > existing.expiry;
        if (!isRenewable) return { value: existing };
        const renewed = { ...existing, expiry: now + LOAN_MS.browse };
        ledger.putLoan(renewed);
        return { value: renewed };
      }
      const isClaim = (ledger.placeOf(patron)?.expiry ?? null) !== null;
      const kind = chooseLoanKind(request.kind, { free: ledger.free, browse: ledger.canBrowse, isClaim });
      if (kind === undefined) return "taken";
      const loan = { uuid, ocaid, patron, book, kind, loanedAt: now, expiry: now + LOAN_MS[kind] };
      ledger.putLoan(loan);
      return { value: loan };
    });
  }

  async close(call: AtDesk, patron: string): Promise<DeskAnswer<null>> {
    return this.answer(call, patron, () => {
      const loan = this.ledger.loanOf(patron);
      if (loan === undefined) return "not-held";
      this.ledger.endLoan(loan, call.now);
      return { value: null };
    });
  }

  /** Puts a patron at the end of the queue; a patron in the queue keeps their place. */
  async join(request: DeskRequest): Promise<DeskAnswer<WaitingPlace>> {
    const { patron } = request;
    const { ledger } = this;
    return this.answer(request, patron, () => {
      if (this.isLate(request)) return "late";
      if (ledger.loanOf(patron) !== undefined) return "has-loan";
      if (ledger.placeOf(patron) === undefined) {
        if (ledger.free > 0) return "free";
        if (ledger.counts().waiting >= QUEUE_MAX) return "full";
        ledger.addPlace(request);
      }
      const place = ledger.waitingPlaceOf(patron);
      return place === null ? "not-held" : { value: place };
    });
  }

  async leave(call: AtDesk, patron: string): Promise<DeskAnswer<null>> {
    return this.answer(call, patron, () => {
      if (this.ledger.placeOf(patron) === undefined) return "not-held";
      this.ledger.removePlace(patron);
      return { value: null };
    });
  }

  /** Returns a patron's loan status for the patron's object, which may lack it. `asked`: time by the objects' clock. */
  async loanStatus(call: AtDesk, patron: string): Promise<DeskLoanStatus & { readonly asked: number }> {
    return this.transact(call, () => ({ ...this.ledger.loanStatusOf(patron), asked: Date.now() }));
  }

  /**
   * Ends the patron's loan and place, and refuses requests that may be under way. Throws if an update could not be
   * delivered: call it again then.
   */
  async forget(call: AtDesk, patron: string): Promise<void> {
    await this.transact(call, () => {
      const loan = this.ledger.loanOf(patron);
      if (loan !== undefined) this.ledger.endLoan(loan, call.now);
      if (this.ledger.placeOf(patron) !== undefined) this.ledger.removePlace(patron);
      this.ledger.refuse(patron, Date.now() + 2 * LOAN_REQUEST_VALID_MS);
    });
    if (!(await this.outbox.flush())) throw new Error("a loan desk with more updates than one call delivers");
  }

  /** Returns the place that a patron should get an email about; null if it was sent, or it is not the patron's turn. */
  mailDue(patron: string): WaitingPlace | null {
    return this.mails.isDue(patron) ? this.ledger.waitingPlaceOf(patron) : null;
  }

  mailSent(patron: string): void {
    this.mails.setSent(patron);
  }

  /** Returns the loan whose holder should get an email about the queue; null if it was sent, or the queue is empty. */
  queueMailDue(patron: string): DeskLoan | null {
    return this.mails.isQueueMailDue(patron) ? (this.ledger.loanOf(patron) ?? null) : null;
  }

  queueMailSent(uuid: string): void {
    this.mails.setQueueMailSent(uuid);
  }

  /** Reads all loans and places for a backup. */
  readBackup(): ObjectTables {
    const without = ["news", "refused"];
    return readTables(this.ctx.storage.sql, { without, from: null, bytes: Number.POSITIVE_INFINITY }).tables;
  }

  /** Writes the loans and places of a backup in place of those that are there, and reports them. */
  async writeBackup(tables: ObjectTables): Promise<void> {
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      emptyTables(sql, ["news", "refused"]);
      writeObjectTables(sql, tables);
      this.ledger.reportAll();
    });
    await this.deliver();
  }

  /** Ends expired loans and reservations, and retries undelivered updates. */
  override async alarm(): Promise<void> {
    this.ctx.storage.transactionSync(() => this.ledger.settle(Date.now()));
    await this.deliver();
  }

  /** Runs a function as one transaction, after ending expired loans and reservations, and delivers the updates. */
  private async transact<Result>({ now, ...terms }: AtDesk, work: () => Result): Promise<Result> {
    const result = this.ctx.storage.transactionSync(() => {
      this.ledger.setTerms(terms);
      this.ledger.settle(now);
      const outcome = work();
      this.ledger.settle(now);
      return outcome;
    });
    if (this.outbox.isPending || this.mails.isPending) await this.deliver();
    return result;
  }

  private async deliver(): Promise<void> {
    this.setAlarm();
    const results = await Promise.allSettled([this.outbox.flush(), this.mails.flush()]);
    for (const result of results) {
      if (result.status === "rejected") console.error("loan desk", String(result.reason));
    }
    const [delivered] = results;
    this.setAlarm(delivered.status === "fulfilled" && !delivered.value ? 0 : LENDING_RETRY_MS);
  }

  /** Sets the alarm to the next end of a loan or reservation, or the next delivery of updates that are left. */
  private setAlarm(delay = LENDING_RETRY_MS): void {
    const times = [
      this.ledger.nextEnd(),
      this.mails.nextDue(),
      ...(this.outbox.isPending ? [Date.now() + delay] : []),
    ].filter((time) => time !== null);
    const { storage } = this.ctx;
    this.ctx.waitUntil(
      times.length === 0 ? storage.deleteAlarm() : storage.setAlarm(Math.max(1, Math.min(...times))),
    );
  }

  private isLate({ patron, validUntil }: DeskRequest): boolean {
    const now = Date.now();
    return now > validUntil || this.ledger.isRefused(patron, now);
  }

  /** Runs `transact` for a patron, and adds their loan status at this time; the outbox delivers later changes. */
  private answer<Value>(
    call: AtDesk,
    patron: string,
    work: () => { value: Value } | DeskRefusal,
  ): Promise<DeskAnswer<Value>> {
    return this.transact(call, () => {
      const outcome = work();
      const loanStatus = this.ledger.loanStatusOf(patron);
      return typeof outcome === "string"
        ? { ok: false, reason: outcome, loanStatus }
        : { ok: true, value: outcome.value, loanStatus };
    });
  }
}

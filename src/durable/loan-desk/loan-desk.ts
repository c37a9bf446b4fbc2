import { DurableObject } from "cloudflare:workers";
import {
  type DeskLoan,
  type DeskWord,
  type LoanKind,
  type WaitingPlace,
  LOAN_MS,
  QUEUE_MAX,
  WISH_VALID_MS,
  loanKindFor,
} from "../../catalog/lending/loan.ts";
import { upgrade } from "../storage.ts";
import { type DeskCounts, Ledger } from "./ledger.ts";
import { MailCalls } from "./mail-calls.ts";
import { NEWS_RETRY_MS, News, wordOf } from "./news.ts";
import { DESK_STEPS } from "./schema.ts";

/** Item of a call, the terms of lending it, and the time of the call (milliseconds since the epoch). */
export interface AtDesk {
  readonly ocaid: string;
  /** Number of copies; 0: not lent (any more), but active loans last until their end. */
  readonly copies: number;
  /** True if it is also lent for an hour. */
  readonly browse: boolean;
  readonly now: number;
}

/** Loan request of a patron. `patron`: username in lower case. */
interface DeskWish extends AtDesk {
  readonly patron: string;
  /** Key of the requested edition. */
  readonly book: string;
  /** Deadline by the clock of the objects, after which the desk refuses the request. */
  readonly validUntil: number;
}

/** Response of a desk to a patron, with the patron's loan status. */
export type DeskAnswer<Value> = { readonly word: DeskWord } & (
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: DeskRefusal }
);

/** Reason of a refusal. `free`: there is a free copy, so there is no queue; `late`: the request is no longer valid. */
export type DeskRefusal = "taken" | "not-held" | "has-loan" | "free" | "full" | "late";

/** State of an item, and of a patron's loan and place. */
export interface DeskStatus extends DeskCounts {
  readonly free: number;
  readonly loan: DeskLoan | null;
  readonly place: WaitingPlace | null;
}

/**
 * Loan desk of one scanned item, named by its id: stores the loans, the queue, and their expiry. It is the source of
 * truth; patrons' objects and the tables of PATRONS are updated before a call returns, or by the alarm. Every call
 * first ends expired loans and reservations.
 */
export class LoanDesk extends DurableObject<Env> {
  private readonly ledger: Ledger;
  private readonly news: News;
  private readonly mails: MailCalls;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    upgrade(state.storage, DESK_STEPS);
    const { sql } = state.storage;
    this.ledger = new Ledger(sql);
    this.news = new News(sql, this.ledger, { patrons: env.PATRONS, patron: env.PATRON });
    this.mails = new MailCalls(sql, env.PATRON_JOBS);
  }

  /** Returns true once objects of this class respond and their storage is up to date. */
  ping(): boolean {
    return true;
  }

  /** Returns the state of the item, and of a patron's loan and place. */
  async status(at: AtDesk, patron: string | null): Promise<DeskStatus> {
    return this.at(at, () => ({
      ...this.ledger.counts(),
      free: this.ledger.free,
      loan: patron === null ? null : (this.ledger.loanOf(patron) ?? null),
      place: patron === null ? null : this.ledger.waitingPlaceOf(patron),
    }));
  }

  /** Lends a copy, or returns the patron's existing loan; an hour is renewed if the queue is empty. */
  async open(wish: DeskWish & { kind: LoanKind; uuid: string }): Promise<DeskAnswer<DeskLoan>> {
    return this.at(wish, () => this.answer(wish.patron, this.lend(wish)));
  }

  /** Ends the patron's loan. */
  async close(at: AtDesk, patron: string): Promise<DeskAnswer<null>> {
    return this.at(at, () => {
      const loan = this.ledger.loanOf(patron);
      if (loan === undefined) return this.answer(patron, "not-held");
      this.ledger.endLoan(loan, at.now);
      return this.answer(patron, { value: null });
    });
  }

  /** Puts a patron at the end of the queue; a patron in the queue keeps their place. */
  async join(wish: DeskWish): Promise<DeskAnswer<WaitingPlace>> {
    return this.at(wish, () => {
      const refusal = this.refusalToWait(wish);
      if (refusal !== undefined) return this.answer(wish.patron, refusal);
      if (this.ledger.placeOf(wish.patron) === undefined) this.ledger.addPlace(wish);
      const place = this.ledger.waitingPlaceOf(wish.patron);
      return this.answer(wish.patron, place === null ? "not-held" : { value: place });
    });
  }

  /** Removes a patron from the queue. */
  async leave(at: AtDesk, patron: string): Promise<DeskAnswer<null>> {
    return this.at(at, () => {
      if (this.ledger.placeOf(patron) === undefined) return this.answer(patron, "not-held");
      this.ledger.removePlace(patron);
      return this.answer(patron, { value: null });
    });
  }

  /**
   * Returns a patron's loan status for the patron's object, which may lack it. `asked`: by the clock of the objects.
   */
  async word(at: AtDesk, patron: string): Promise<DeskWord & { readonly asked: number }> {
    return this.at(at, () => ({ ...wordOf(this.ledger, patron), asked: Date.now() }));
  }

  /**
   * Ends the patron's loan and place, and refuses requests that may be under way. Throws if an update could not be
   * delivered: call it again then.
   */
  async forget(at: AtDesk, patron: string): Promise<void> {
    await this.at(at, () => {
      const loan = this.ledger.loanOf(patron);
      if (loan !== undefined) this.ledger.endLoan(loan, at.now);
      if (this.ledger.placeOf(patron) !== undefined) this.ledger.removePlace(patron);
      this.ledger.refuse(patron, Date.now() + 2 * WISH_VALID_MS);
    });
    await this.news.tell();
  }

  /** Returns the place that a patron should get an email about; null if it was sent, or it is not the patron's turn. */
  mailDue(patron: string): WaitingPlace | null {
    return this.mails.isDue(patron) ? this.ledger.waitingPlaceOf(patron) : null;
  }

  /** Records that this email was sent. */
  mailSent(patron: string): void {
    this.mails.setSent(patron);
  }

  /** Returns the loan whose holder should get an email about the queue; null if it was sent, or the queue is empty. */
  queueMailDue(patron: string): DeskLoan | null {
    return this.mails.isQueueMailDue(patron) ? (this.ledger.loanOf(patron) ?? null) : null;
  }

  /** Records that the email for this loan was sent. */
  queueMailSent(uuid: string): void {
    this.mails.setQueueMailSent(uuid);
  }

  /** Ends expired loans and reservations, and retries undelivered updates. */
  override async alarm(): Promise<void> {
    this.ctx.storage.transactionSync(() => this.ledger.settle(Date.now()));
    await this.spread();
  }

  /** Runs a function as one transaction, after ending expired loans and reservations, and delivers the updates. */
  private async at<Result>({ now, ...terms }: AtDesk, work: () => Result): Promise<Result> {
    const result = this.ctx.storage.transactionSync(() => {
      this.ledger.setTerms(terms);
      this.ledger.settle(now);
      const done = work();
      this.ledger.settle(now);
      return done;
    });
    if (this.news.isPending || this.mails.isPending) await this.spread();
    return result;
  }

  /** Delivers all pending updates. The alarm, which is set before, retries failed ones. */
  private async spread(): Promise<void> {
    this.setAlarm();
    const results = await Promise.allSettled([this.news.tell(), this.mails.call()]);
    for (const result of results) {
      if (result.status === "rejected") console.error("loan desk", String(result.reason));
    }
    this.setAlarm();
  }

  /** Sets the alarm to the next end of a loan or reservation, or the next retry of an update. */
  private setAlarm(): void {
    const times = [
      this.ledger.nextEnd(),
      this.mails.nextCall(),
      ...(this.news.isPending ? [Date.now() + NEWS_RETRY_MS] : []),
    ].filter((time) => time !== null);
    const { storage } = this.ctx;
    this.ctx.waitUntil(
      times.length === 0 ? storage.deleteAlarm() : storage.setAlarm(Math.max(1, Math.min(...times))),
    );
  }

  private lend(wish: DeskWish & { kind: LoanKind; uuid: string }): { value: DeskLoan } | DeskRefusal {
    const { ocaid, patron, book, uuid, now } = wish;
    if (this.isLate(wish)) return "late";
    const held = this.ledger.loanOf(patron);
    if (held !== undefined) return { value: this.renewed(held, wish) };
    const isClaim = (this.ledger.placeOf(patron)?.expiry ?? null) !== null;
    const kind = loanKindFor(wish.kind, { free: this.ledger.free, browse: this.ledger.browse, isClaim });
    if (kind === undefined) return "taken";
    const loan = { uuid, ocaid, patron, book, kind, loanedAt: now, expiry: now + LOAN_MS[kind] };
    this.ledger.putLoan(loan);
    return { value: loan };
  }

  private renewed(loan: DeskLoan, { kind, now }: DeskWish & { kind: LoanKind }): DeskLoan {
    const isRenewed = kind === "browse" && loan.kind === "browse" && this.ledger.counts().waiting === 0;
    if (!isRenewed || now + LOAN_MS.browse <= loan.expiry) return loan;
    const longer = { ...loan, expiry: now + LOAN_MS.browse };
    this.ledger.putLoan(longer);
    return longer;
  }

  private refusalToWait(wish: DeskWish): DeskRefusal | undefined {
    if (this.isLate(wish)) return "late";
    if (this.ledger.loanOf(wish.patron) !== undefined) return "has-loan";
    if (this.ledger.placeOf(wish.patron) !== undefined) return undefined;
    if (this.ledger.free > 0) return "free";
    return this.ledger.counts().waiting >= QUEUE_MAX ? "full" : undefined;
  }

  private isLate({ patron, validUntil }: DeskWish): boolean {
    const now = Date.now();
    return now > validUntil || this.ledger.isRefused(patron, now);
  }

  /** Returns a response with the patron's loan status at the time of the call; the outbox delivers later changes. */
  private answer<Value>(patron: string, outcome: { value: Value } | DeskRefusal): DeskAnswer<Value> {
    const word = wordOf(this.ledger, patron);
    return typeof outcome === "string"
      ? { ok: false, reason: outcome, word }
      : { ok: true, value: outcome.value, word };
  }
}

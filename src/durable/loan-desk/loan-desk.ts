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

/** Which item a call is about, on which terms it is lent, and when the call was made (milliseconds since the epoch). */
export interface AtDesk {
  readonly ocaid: string;
  /** 0: not lent (any more); those who have it keep it until their time is over. */
  readonly copies: number;
  /** Lent for an hour too. */
  readonly browse: boolean;
  readonly now: number;
}

/** A patron's wish. `patron`: username in lower case. */
interface DeskWish extends AtDesk {
  readonly patron: string;
  /** Key of the edition that was asked for. */
  readonly book: string;
  /** By the clock of the objects: the desk does not take the wish later. */
  readonly validUntil: number;
}

/** What a desk answers to a patron, with how he stands there now. */
export type DeskAnswer<Value> = { readonly word: DeskWord } & (
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: DeskRefusal }
);

/** `free`: there is a copy, so nobody waits; `late`: the wish is no longer valid. */
export type DeskRefusal = "taken" | "not-held" | "has-loan" | "free" | "full" | "late";

/** How an item stands, and how a patron stands to it. */
export interface DeskStatus extends DeskCounts {
  readonly free: number;
  readonly loan: DeskLoan | null;
  readonly place: WaitingPlace | null;
}

/**
 * The loan desk of one scanned item, named by its id: who has it, who waits for it, and until when. It is
 * the truth; patrons' objects and the tables of PATRONS are told before a call is answered, or by the alarm. Every call
 * first ends what is over by its time.
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

  /** Says that objects of this class answer, and that their storage is up to date. */
  ping(): boolean {
    return true;
  }

  /** How the item stands, and a patron to it. */
  async status(at: AtDesk, patron: string | null): Promise<DeskStatus> {
    return this.at(at, () => ({
      ...this.ledger.counts(),
      free: this.ledger.free,
      loan: patron === null ? null : (this.ledger.loanOf(patron) ?? null),
      place: patron === null ? null : this.ledger.waitingPlaceOf(patron),
    }));
  }

  /** Lends a copy, or says again which loan the patron has; an hour begins anew when nobody waits. */
  async open(wish: DeskWish & { kind: LoanKind; uuid: string }): Promise<DeskAnswer<DeskLoan>> {
    return this.at(wish, () => this.answer(wish.patron, this.lend(wish)));
  }

  /** Takes a copy back. */
  async close(at: AtDesk, patron: string): Promise<DeskAnswer<null>> {
    return this.at(at, () => {
      const loan = this.ledger.loanOf(patron);
      if (loan === undefined) return this.answer(patron, "not-held");
      this.ledger.endLoan(loan, at.now);
      return this.answer(patron, { value: null });
    });
  }

  /** Puts a patron at the end of the queue; who is in it keeps his place. */
  async join(wish: DeskWish): Promise<DeskAnswer<WaitingPlace>> {
    return this.at(wish, () => {
      const refusal = this.refusalToWait(wish);
      if (refusal !== undefined) return this.answer(wish.patron, refusal);
      if (this.ledger.placeOf(wish.patron) === undefined) this.ledger.addPlace(wish);
      const place = this.ledger.waitingPlaceOf(wish.patron);
      return this.answer(wish.patron, place === null ? "not-held" : { value: place });
    });
  }

  /** Takes a patron out of the queue. */
  async leave(at: AtDesk, patron: string): Promise<DeskAnswer<null>> {
    return this.at(at, () => {
      if (this.ledger.placeOf(patron) === undefined) return this.answer(patron, "not-held");
      this.ledger.removePlace(patron);
      return this.answer(patron, { value: null });
    });
  }

  /** How a patron stands here, for his object, which may not have heard it. `asked`: by the clock of the objects. */
  async word(at: AtDesk, patron: string): Promise<DeskWord & { readonly asked: number }> {
    return this.at(at, () => ({ ...wordOf(this.ledger, patron), asked: Date.now() }));
  }

  /**
   * Takes back what the patron has and his place, and refuses what he may have wished for until now. Throws when not
   * everybody could be told: it is then to be called again.
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

  /** The place that a patron should get a mail about; null when he has got it, or it is no longer his turn. */
  mailDue(patron: string): WaitingPlace | null {
    return this.mails.isDue(patron) ? this.ledger.waitingPlaceOf(patron) : null;
  }

  /** The mail is sent. */
  mailSent(patron: string): void {
    this.mails.setSent(patron);
  }

  /** The loan whose holder should get a mail that others wait; null when he has got it, or nobody waits any more. */
  queueMailDue(patron: string): DeskLoan | null {
    return this.mails.isQueueMailDue(patron) ? (this.ledger.loanOf(patron) ?? null) : null;
  }

  /** That mail is sent, for this loan. */
  queueMailSent(uuid: string): void {
    this.mails.setQueueMailSent(uuid);
  }

  /** Ends what is over, and tells what could not be told. */
  override async alarm(): Promise<void> {
    this.ctx.storage.transactionSync(() => this.ledger.settle(Date.now()));
    await this.spread();
  }

  /** Does something as one transaction, after what is over by then was ended, and tells of it. */
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

  /** Tells everybody what is new. Who could not be told is told by the alarm, which is set before. */
  private async spread(): Promise<void> {
    this.setAlarm();
    const results = await Promise.allSettled([this.news.tell(), this.mails.call()]);
    for (const result of results) {
      if (result.status === "rejected") console.error("loan desk", String(result.reason));
    }
    this.setAlarm();
  }

  /** Wakes the object when a loan or a turn is over, or something is still to be told. */
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

  /** An answer with the patron's standing at the time of asking; what follows from it is told to him by the news. */
  private answer<Value>(patron: string, outcome: { value: Value } | DeskRefusal): DeskAnswer<Value> {
    const word = wordOf(this.ledger, patron);
    return typeof outcome === "string"
      ? { ok: false, reason: outcome, word }
      : { ok: true, value: outcome.value, word };
  }
}

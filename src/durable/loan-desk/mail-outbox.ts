import { HOUR_MS, DAY_MS } from "../../catalog/units.ts";
import { QUEUE_NOTICE_DELAY_MS } from "../../catalog/lending/loan.ts";
import { StateTable, all, storedValues, first, storedValue } from "../storage.ts";

/**
 * Message of the queue `carrel-patron-jobs`: a copy is reserved for a patron (`lending-mail`), or others are waiting
 * for the patron's book (`queue-mail`), and the patron should get an email.
 */
export interface MailCall {
  readonly kind: "lending-mail" | "queue-mail";
  readonly ocaid: string;
  readonly patron: string;
}

/** Delay before an email about a reserved copy is requested again, in milliseconds. */
const MAIL_AGAIN_MS = HOUR_MS;
/**
 * Delay in milliseconds before an email about waiting patrons is requested again. It is not urgent: if no email can be
 * sent, it is requested as long as the loan lasts.
 */
export const QUEUE_MAIL_AGAIN_MS = DAY_MS;
/** Emails requested at once: the limit of a queue per call. */
const MAILS_MAX = 100;

/** Loans whose holders should get an email about waiting patrons: once per loan, and not in its first days. */
const WANTED_LOANS = `FROM loan LEFT JOIN queue_mail ON queue_mail.loan = loan.uuid
  WHERE kind = 'borrow' AND (queue_mail.loan IS NULL OR again IS NOT NULL)
    AND EXISTS (SELECT 1 FROM place WHERE expiry IS NULL)`;
const LOAN_DUE = `max(loaned_at + ${QUEUE_NOTICE_DELAY_MS}, coalesce(again, 0))`;

/**
 * Schedule of the emails about reserved copies and waiting patrons. `place.mail_due` is the time when the email is
 * requested (again); it is NULL before the patron's turn, and after the email was sent.
 */
export class MailOutbox {
  constructor(
    private readonly sql: SqlStorage,
    private readonly queue: Queue<MailCall>,
  ) {}

  get isPending(): boolean {
    const next = this.nextDue();
    return next !== null && next <= Date.now();
  }

  nextDue(): number | null {
    const sql = `SELECT min(due) FROM (SELECT mail_due AS due FROM place UNION ALL SELECT ${LOAN_DUE} ${WANTED_LOANS})`;
    return storedValue<number | null>(this.sql, sql) ?? null;
  }

  /**
   * Requests the emails that are due. Stores the next due times first, so that concurrent calls request no email twice.
   */
  async flush(): Promise<void> {
    const now = Date.now();
    const sql = `UPDATE place SET mail_due = ?1
      WHERE number IN (SELECT number FROM place WHERE mail_due <= ?2 ORDER BY number LIMIT ?3) RETURNING patron`;
    await this.request("lending-mail", storedValues(this.sql, sql, now + MAIL_AGAIN_MS, now, MAILS_MAX));
    const due = `SELECT uuid, patron ${WANTED_LOANS} AND ${LOAN_DUE} <= ? ORDER BY patron LIMIT ?`;
    const loans = all<{ uuid: string; patron: string }>(this.sql, due, now, MAILS_MAX);
    for (const { uuid } of loans) this.setQueueMailDue(uuid, now + QUEUE_MAIL_AGAIN_MS);
    // Delete the rows of loans that have ended.
    this.sql.exec("DELETE FROM queue_mail WHERE loan NOT IN (SELECT uuid FROM loan)");
    await this.request(
      "queue-mail",
      loans.map(({ patron }) => patron),
    );
  }

  private async request(kind: MailCall["kind"], patrons: readonly string[]): Promise<void> {
    if (patrons.length === 0) return;
    const ocaid = new StateTable<"ocaid">(this.sql).get("ocaid") ?? "";
    await this.queue.sendBatch(patrons.map((patron) => ({ body: { kind, ocaid, patron } })));
  }

  /** True if it is the patron's turn and the email was not sent yet. */
  isDue(patron: string): boolean {
    const sql = "SELECT 1 FROM place WHERE patron = ? AND mail_due IS NOT NULL";
    return first(this.sql, sql, patron) !== undefined;
  }

  /** True if others are waiting for the patron's loan and the email was not sent yet. */
  isQueueMailDue(patron: string): boolean {
    const sql = `SELECT 1 ${WANTED_LOANS} AND patron = ? AND loaned_at + ${QUEUE_NOTICE_DELAY_MS} <= ?`;
    return first(this.sql, sql, patron, Date.now()) !== undefined;
  }

  setSent(patron: string): void {
    this.sql.exec("UPDATE place SET mail_due = NULL WHERE patron = ?", patron);
  }

  /** Records that the email about a loan was sent. The patron may have a new loan by now, so `uuid` names it. */
  setQueueMailSent(uuid: string): void {
    this.setQueueMailDue(uuid, null);
  }

  /** Stores the time until which the email of a loan is not requested again; null: it was sent. */
  private setQueueMailDue(uuid: string, again: number | null): void {
    this.sql.exec("INSERT OR REPLACE INTO queue_mail (loan, again) VALUES (?, ?)", uuid, again);
  }
}
